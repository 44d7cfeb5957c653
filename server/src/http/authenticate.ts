/**
 * Finds the caller (docs/api §3.1): the first credential that is present is the only one tried; a
 * bad one makes a guest. So does one of an account that was disabled.
 */
import type { User } from '@flightdeck/api'
import { ownerOfAnyToken, ownerOfNamedToken } from '../people/access-tokens.ts'
import { hashOfToken, ownerOfSession } from '../people/sessions.ts'
import type { Db } from '../store/open.ts'
import { deleteSession, findSession } from '../store/sessions.ts'
import { basicOf } from './basic.ts'
import { formValue, queryOf } from './bodies.ts'
import type { Call } from './context.ts'
import { readCookie } from './cookies.ts'

export const sessionCookie = '_session_'

/**
 * In addition to Drone's API: the user that a response is for, as the user's id, 0 for a guest. A
 * page that one user opened must not show responses for another user's session
 * (web/src/api/person.ts).
 */
export const personHeader = 'X-Flightdeck-User'

/**
 * The token of the header or the parameter; `null` if there is none or it is empty. Whatever
 * satisfies `checkOrigin` (`bringsCredential`) is a token here, or a page of another origin could
 * use the cookie.
 */
export async function explicitToken(c: Call): Promise<string | null> {
  const header = c.req.header('authorization')
  if (header) return header.startsWith('Bearer ') ? header.slice('Bearer '.length) : header
  return (await formValue(c, 'access_token')) || queryOf(c).get('access_token') || null
}

/** Does the call bring a token or a session at all, good or bad? */
export const carriesCredentials = async (c: Call): Promise<boolean> =>
  (await explicitToken(c)) !== null || Boolean(readCookie(c, sessionCookie))

export interface Caller {
  /** `null`: a guest. */
  user: User | null
  /** The id of the named token that authenticated the call, if any. */
  namedToken?: number | undefined
}

/**
 * The addresses of Atom feeds: readers of feeds know no other way than "Basic", which no other call
 * accepts.
 */
const feedPath = /^\/api\/(user|repos\/[^/]+\/[^/]+\/builds)\/feed\.atom$/

export const isFeed = (c: Call): boolean => c.req.method === 'GET' && feedPath.test(c.req.path)

/**
 * A feed takes no token from its address: readers of feeds store and show addresses. `undefined`:
 * the call has no such header.
 */
async function ownerByHeader(db: Db, c: Call, now: number): Promise<Caller | undefined> {
  const header = c.req.header('authorization')
  if (!header) return undefined
  if (!/^basic\b/i.test(header)) return ownerOfAnyToken(db, header.replace(/^Bearer /, ''), now)
  const { login, password } = basicOf(c)
  const found = await ownerOfNamedToken(db, password, now)
  // Only a named token: it expires, and its owner can revoke it alone.
  if (found?.user.login.toLowerCase() !== login.toLowerCase()) return { user: null }
  return { user: found.user, namedToken: found.token.id }
}

export async function authenticate(db: Db, c: Call, now: number): Promise<Caller> {
  if (isFeed(c)) return (await ownerByHeader(db, c, now)) ?? { user: await ownerByCookie(db, c, now) }
  const value = await explicitToken(c)
  if (value === null) return { user: await ownerByCookie(db, c, now) }
  return ownerOfAnyToken(db, value, now)
}

/**
 * The owner of the browser session; a token in the address is ignored: page requests only send the
 * cookie.
 */
export async function ownerByCookie(db: Db, c: Call, now: number): Promise<User | null> {
  const value = readCookie(c, sessionCookie)
  return value ? ownerOfSession(db, value, now) : null
}

/** The id of the session that this call uses, if any. */
export async function sessionOf(db: Db, c: Call, now: number): Promise<number | undefined> {
  const value = readCookie(c, sessionCookie)
  return value ? (await findSession(db, hashOfToken(value), now))?.id : undefined
}

export async function endSession(db: Db, c: Call): Promise<void> {
  const value = readCookie(c, sessionCookie)
  if (value) await deleteSession(db, hashOfToken(value))
}
