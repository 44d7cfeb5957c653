/** Tokens of people: encrypted at rest, refreshed in time, by one at a time. */
import { untilAborted } from '../lib/abort.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'
import { findForgeAccount, forgetForgeToken, setForgeToken } from '../store/forge-accounts.ts'
import type { Db } from '../store/open.ts'
import { ForgeError, type Driver, type ForgeToken } from './driver.ts'
import { signOut } from './sign-out.ts'

/** Tokens that expire sooner are refreshed before use: a call can take this long. */
const marginMs = 5 * 60_000

/**
 * A token is not refreshed before this part of its life is over: forges can issue tokens that live
 * for less than a margin.
 */
const minUsedLife = 0.25

/** The person must sign in at the forge again. */
export class NoToken extends Error {
  constructor() {
    super('The person must sign in again')
    this.name = 'NoToken'
  }
}

export interface Tokens {
  seal(token: ForgeToken): string
  /** The token of a sealed text; undefined for `''` and for what another key has sealed. */
  open(sealed: string): ForgeToken | undefined
  /**
   * Calls with the person's token; after a 401 once more with a refreshed one. Throws `NoToken`
   * where there is none any more. `signal` ends the wait for a refresh before the call, as for
   * `fresh`.
   */
  use<T>(userId: number, call: (token: ForgeToken) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * A token that is good for at least `minMs` (or three quarters of its life, if that is shorter),
   * where the forge can refresh it. If the refresh fails or `signal` ends the wait, it is the old
   * token: it may still be valid, and a refused call refreshes it again.
   */
  validToken(userId: number, minMs: number, signal?: AbortSignal): Promise<ForgeToken>
}

interface StoredToken {
  /** As it lies in the database. */
  sealed: string
  token: ForgeToken
}

interface TokensOptions {
  db: Db
  box: SecretsBox
  driver: Pick<Driver, 'signIn'>
  /** Unix milliseconds. */
  nowMs?: () => number
}

export function createTokens({ db, box, driver, nowMs = Date.now }: TokensOptions): Tokens {
  const refreshing = new Map<number, Promise<StoredToken>>()

  const seal = (token: ForgeToken): string => box.encrypt(JSON.stringify(token))

  function open(sealed: string): ForgeToken | undefined {
    if (sealed === '') return undefined
    try {
      return JSON.parse(box.decrypt(sealed)) as ForgeToken
    } catch {
      return undefined
    }
  }

  async function stored(userId: number): Promise<StoredToken> {
    const account = await findForgeAccount(db, userId)
    if (!account || account.token === '') throw new NoToken()
    return { sealed: account.token, token: JSON.parse(box.decrypt(account.token)) as ForgeToken }
  }

  /**
   * Signs the person out, whose access has ended at the forge, and throws `NoToken`. A person who
   * has signed in again meanwhile has a new token, which it returns.
   */
  async function discard(userId: number, { sealed }: StoredToken): Promise<StoredToken> {
    if (!(await forgetForgeToken(db, userId, sealed))) return stored(userId)
    await signOut(db, userId)
    throw new NoToken()
  }

  async function refresh(userId: number, old: StoredToken): Promise<StoredToken> {
    const { signIn } = driver
    try {
      if (signIn.kind !== 'oauth' || old.token.refresh === undefined) throw new NoToken()
      const renewed = await signIn.refresh(old.token.refresh)
      const token = { ...renewed, ...(renewed.refresh === undefined && { refresh: old.token.refresh }) }
      const sealed = seal(token)
      // Before anything else: the old one is dead.
      await setForgeToken(db, userId, sealed)
      return { sealed, token }
    } catch (error) {
      const isOver = error instanceof NoToken || (error instanceof ForgeError && error.failure === 'unauthorized')
      if (!isOver) throw error
      return discard(userId, old)
    }
  }

  /** Callers during a refresh share its result: two concurrent refreshes would lose both tokens. */
  function renewed(userId: number, bad: (token: ForgeToken) => boolean): Promise<StoredToken> {
    const pending = refreshing.get(userId)
    if (pending) return pending
    const work = stored(userId)
      .then((old) => (bad(old.token) ? refresh(userId, old) : old))
      .finally(() => refreshing.delete(userId))
    refreshing.set(userId, work)
    return work
  }

  function isShort({ expiresAtMs, refresh: again, lifeMs = Infinity }: ForgeToken, minMs: number): boolean {
    if (expiresAtMs === undefined || again === undefined) return false
    return expiresAtMs - nowMs() < Math.min(minMs, lifeMs * (1 - minUsedLife))
  }

  async function refreshIfShort(userId: number, minMs: number): Promise<StoredToken> {
    await refreshing.get(userId)?.catch(() => {})
    const current = await stored(userId)
    if (!isShort(current.token, minMs)) return current
    return renewed(userId, (token) => isShort(token, minMs)).catch((error: unknown) => {
      if (error instanceof ForgeError) return current
      throw error
    })
  }

  async function findValidToken(userId: number, minMs: number, signal?: AbortSignal): Promise<StoredToken> {
    if (!signal) return refreshIfShort(userId, minMs)
    const current = await stored(userId)
    return Promise.race([refreshIfShort(userId, minMs), untilAborted(signal).then(() => current)])
  }

  const isRefused = (error: unknown): boolean => error instanceof ForgeError && error.failure === 'unauthorized'

  return {
    seal,
    open,
    validToken: async (userId, minMs, signal) => (await findValidToken(userId, minMs, signal)).token,
    async use(userId, call, signal) {
      const { token } = await findValidToken(userId, marginMs, signal)
      try {
        return await call(token)
      } catch (error) {
        if (!isRefused(error)) throw error
        // Another call may have refreshed it meanwhile; then the new token is tried.
        const again = await renewed(userId, ({ access }) => access === token.access)
        return call(again.token).catch(async (second: unknown) => {
          if (!isRefused(second)) throw second
          await discard(userId, again)
          throw second
        })
      }
    },
  }
}
