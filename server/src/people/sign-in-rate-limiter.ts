import { countEntries, createLruCache } from '../lib/cache.ts'

/**
 * Slows down password guessing, per login and per address: the response to a wrong password is
 * delayed. A right password is never delayed, whatever others tried. The queue slows clients that
 * do not wait for responses (`password-queue.ts`).
 */
const forgetAfterSeconds = 15 * 60
const maxKeys = 10_000
const maxDelayMs = 4_000

interface Attempts {
  count: number
}

/** `free` attempts cost nothing, then each doubles the wait. */
const delay = (count: number, free: number): number =>
  count <= free ? 0 : Math.min(maxDelayMs, 125 * 2 ** (count - free))

export interface SignInRateLimiter {
  /**
   * Counts an attempt and returns the delay for a wrong password. Concurrent attempts count, too.
   */
  enter(login: string, address: string): () => Promise<void>
  /** Resets the counts after a right password. */
  succeeded(login: string, address: string): void
}

export function createSignInRateLimiter(now: () => number, sleep: (ms: number) => Promise<void>): SignInRateLimiter {
  const attempts = createLruCache<Attempts>({
    maxSize: maxKeys,
    sizeOf: countEntries,
    ttlMs: forgetAfterSeconds * 1000,
    now: () => now() * 1000,
  })
  const loginKey = (login: string) => `login ${login.toLowerCase().slice(0, 64)}`
  const addressKey = (address: string) => `address ${address}`

  function count(key: string): number {
    const cached = attempts.get(key)
    const number = (cached?.count ?? 0) + 1
    attempts.set(key, { count: number })
    return number
  }

  return {
    enter(login, address) {
      // Many people may share an address, so it is given more attempts than a login.
      const wait = Math.max(delay(count(loginKey(login)), 3), delay(count(addressKey(address)), 20))
      return async () => {
        if (wait > 0) await sleep(wait)
      }
    },
    succeeded(login, address) {
      attempts.delete(loginKey(login))
      const shared = attempts.get(addressKey(address))
      if (shared) shared.count = Math.max(0, shared.count - 1)
    },
  }
}
