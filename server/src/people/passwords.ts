/**
 * Password hashes in the database: `scrypt$N$r$p$salt$hash`. Each contains its cost, so the cost
 * can be raised later.
 */
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

const cost = { N: 2 ** 15, r: 8, p: 1 }
const saltBytes = 16
const hashBytes = 32

const derive = (password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // OpenSSL needs a little more than 128 * N * r bytes.
    const maxmem = 129 * (options.N ?? 0) * (options.r ?? 0) + 1024 * 1024
    scrypt(password.normalize('NFKC'), salt, length, { ...options, maxmem }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, hashBytes, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** A hash that matches no password, so that an unknown login takes as long as a wrong password. */
const nobody = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')

/** Takes the same time with and without a hash. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? nobody).split('$')
  const expected = Buffer.from(hash ?? '', 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt ?? '', 'base64url'), expected.length, options)
  return timingSafeEqual(actual, expected) && stored !== null
}
