/** Tokens of people: encrypted at rest, refreshed in time, by one at a time. */
import type { SecretsBox } from '../secrets-box.ts'
import { findForgeAccount, setForgeToken } from '../store/forge-accounts.ts'
import type { Db } from '../store/open.ts'
import { ForgeError, type Driver, type ForgeToken } from './driver.ts'

/** A token that ends sooner is refreshed before it is used: what begins now may take so long. */
const marginMs = 5 * 60_000

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
  /** Calls with the person's token; after a 401 once more with a refreshed one. Throws `NoToken` where there is none any more. */
  use<T>(userId: number, call: (token: ForgeToken) => Promise<T>): Promise<T>
  /** A token that is good for at least `leastMs`, where the forge can refresh it. */
  fresh(userId: number, leastMs: number): Promise<ForgeToken>
}

interface TokensOptions {
  db: Db
  box: SecretsBox
  driver: Pick<Driver, 'signIn'>
  /** Unix milliseconds. */
  nowMs?: () => number
}

export function createTokens({ db, box, driver, nowMs = Date.now }: TokensOptions): Tokens {
  const refreshing = new Map<number, Promise<ForgeToken>>()

  const seal = (token: ForgeToken): string => box.encrypt(JSON.stringify(token))

  function open(sealed: string): ForgeToken | undefined {
    if (sealed === '') return undefined
    try {
      return JSON.parse(box.decrypt(sealed)) as ForgeToken
    } catch {
      return undefined
    }
  }

  async function stored(userId: number): Promise<ForgeToken> {
    const account = await findForgeAccount(db, userId)
    if (!account || account.token === '') throw new NoToken()
    return JSON.parse(box.decrypt(account.token)) as ForgeToken
  }

  async function refresh(userId: number, old: ForgeToken): Promise<ForgeToken> {
    const { signIn } = driver
    try {
      if (signIn.kind !== 'oauth' || old.refresh === undefined) throw new NoToken()
      const renewed = await signIn.refresh(old.refresh)
      const token = { ...renewed, ...(renewed.refresh === undefined && { refresh: old.refresh }) }
      // Before anything else: the old one is dead.
      await setForgeToken(db, userId, seal(token))
      return token
    } catch (error) {
      const isOver = error instanceof NoToken || (error instanceof ForgeError && error.failure === 'unauthorized')
      if (!isOver) throw error
      await setForgeToken(db, userId, '')
      throw new NoToken()
    }
  }

  /** Whoever asks while a refresh runs gets its result: two at once would lose both tokens. */
  function renewed(userId: number, bad: (token: ForgeToken) => boolean): Promise<ForgeToken> {
    const known = refreshing.get(userId)
    if (known) return known
    const work = stored(userId)
      .then((token) => (bad(token) ? refresh(userId, token) : token))
      .finally(() => refreshing.delete(userId))
    refreshing.set(userId, work)
    return work
  }

  async function fresh(userId: number, leastMs: number): Promise<ForgeToken> {
    await refreshing.get(userId)?.catch(() => {})
    const token = await stored(userId)
    const isShort = ({ expiresAtMs, refresh: again }: ForgeToken) =>
      expiresAtMs !== undefined && again !== undefined && expiresAtMs - nowMs() < leastMs
    return isShort(token) ? renewed(userId, isShort) : token
  }

  return {
    seal,
    open,
    fresh,
    async use(userId, call) {
      const token = await fresh(userId, marginMs)
      try {
        return await call(token)
      } catch (error) {
        if (!(error instanceof ForgeError) || error.failure !== 'unauthorized') throw error
        // Another call may have refreshed it meanwhile; then that one is tried.
        const again = await renewed(userId, ({ access }) => access === token.access)
        return call(again).catch(async (second: unknown) => {
          if (!(second instanceof ForgeError) || second.failure !== 'unauthorized') throw second
          await setForgeToken(db, userId, '')
          throw new NoToken()
        })
      }
    },
  }
}
