/**
 * Devices that were used to sign in before: their passwords are checked in a separate queue, so
 * that many guessers do not lock users out ("Slow Down Online Guessing Attacks with Device
 * Cookies", OWASP). Such a device has no other privilege, and only counts for the account that it
 * signed in to.
 */
import { randomBytes } from 'node:crypto'
import { countEntries, createLruCache } from '../lib/cache.ts'
import { isSameSecret } from '../lib/same-secret.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'

export const deviceSeconds = 365 * 24 * 3600
/** Wrong passwords of one device within `forgetSeconds`; after more it counts as unknown. */
const maxWrong = 5
const forgetSeconds = 15 * 60
const maxDevices = 10_000

export interface KnownDevices {
  /** The value for the cookie of a device that has just signed in to this account. */
  issue(userId: number): string
  /**
   * The device's name; `undefined` if the cookie is invalid, of another account, or had too many
   * wrong passwords.
   */
  find(value: string | undefined, userId: number): string | undefined
  /** The device name for a signed-in user; `undefined` after too many wrong passwords. */
  signedIn(userId: number): string | undefined
  /** Counts a wrong password. */
  failed(device: string): void
}

/** `now`: Unix seconds. */
export function createKnownDevices(box: Pick<SecretsBox, 'derive'>, now: () => number): KnownDevices {
  const wrong = createLruCache<{ count: number; last: number }>({ maxSize: maxDevices, sizeOf: countEntries })
  const signatureOf = (text: string): string => box.derive(`device ${text}`)

  function trusted(device: string): string | undefined {
    const cached = wrong.get(device)
    return cached && cached.count >= maxWrong && now() - cached.last < forgetSeconds ? undefined : device
  }

  return {
    issue(userId) {
      const text = `${userId}.${randomBytes(12).toString('base64url')}.${now() + deviceSeconds}`
      return `${text}.${signatureOf(text)}`
    },
    find(value, userId) {
      const [id, name, expires, signature] = value?.split('.') ?? []
      if (id !== String(userId) || name === undefined || signature === undefined) return undefined
      if (!isSameSecret(signature, signatureOf(`${id}.${name}.${expires}`))) return undefined
      return Number(expires) > now() ? trusted(name) : undefined
    },
    signedIn: (userId) => trusted(`user ${userId}`),
    failed(device) {
      const cached = wrong.get(device)
      const count = cached && now() - cached.last < forgetSeconds ? cached.count + 1 : 1
      wrong.set(device, { count, last: now() })
    },
  }
}
