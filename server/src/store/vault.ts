/** Seals secrets and tokens before they reach the database: AES-256-GCM (issue 6, point 5). */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

export interface Vault {
  seal(text: string): Uint8Array
  /** Throws if the bytes were not sealed with this key. */
  open(bytes: Uint8Array): string
}

const nonceLength = 12
const tagLength = 16

/** `key`: 32 bytes. Sealed bytes are nonce, ciphertext, tag. */
export const createVault = (key: Uint8Array): Vault => ({
  seal(text) {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    return new Uint8Array(Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]))
  },
  open(bytes) {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength))
    decipher.setAuthTag(bytes.subarray(bytes.length - tagLength))
    const body = bytes.subarray(nonceLength, bytes.length - tagLength)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  },
})

/** Reads the key's file, or makes it on the first start. */
export const loadKey = (path: string): Uint8Array => {
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (key.length !== 32) throw new Error(`${path} is not a key of 64 hexadecimal digits`)
  return new Uint8Array(key)
}
