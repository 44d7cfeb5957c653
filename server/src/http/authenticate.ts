/**
 * Who calls (docs/api §3.1): the first credential that is present is the only one tried; a bad one makes a guest. So does one
 * of an account that was disabled (issue 11, point 12).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { User } from '@flightdeck/api'
import { getCookie } from 'hono/cookie'
import type { Db } from '../store/open.ts'
import { createSession, deleteSession, findSession, touchSession } from '../store/sessions.ts'
import { findUserByTokenHash } from '../store/users.ts'
import { formValue } from './bodies.ts'
import type { Call } from './context.ts'

export const sessionCookie = '_session_'
/** 720 h (docs/api §3.2), counted from the last use. */
export const sessionSeconds = 720 * 3600
/** How often the last use is written down. */
const touchAfter = 3600

/**
 * Beyond Drone's API: whom an answer is for, as the number of the user, 0 for a guest. A page that was opened by one person
 * must not show what another's session was answered (web/src/api/person.ts).
 */
export const personHeader = 'X-Flightdeck-User'

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** 32 letters and digits (docs/api §1.2). Bytes beyond the last whole multiple of 62 would favour the first letters. */
export function newToken(length = 32): string {
  let token = ''
  while (token.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && token.length < length) token += letters[byte % 62]
  }
  return token
}

/** The token of the header or the parameter; `null` if neither is there. */
export async function explicitToken(c: Call): Promise<string | null> {
  const header = c.req.header('authorization')
  if (header !== undefined) return header.startsWith('Bearer ') ? header.slice('Bearer '.length) : header
  return formValue(c, 'access_token')
}

/** Does the call bring a token or a session at all, good or bad? */
export const carriesCredentials = async (c: Call): Promise<boolean> =>
  (await explicitToken(c)) !== null || Boolean(getCookie(c, sessionCookie))

export async function authenticate(db: Db, c: Call, now: number): Promise<User | null> {
  const token = await explicitToken(c)
  if (token !== null) {
    const owner = await findUserByTokenHash(db, hashOfToken(token))
    return owner?.active ? owner : null
  }
  const value = getCookie(c, sessionCookie)
  if (!value) return null
  const session = await findSession(db, hashOfToken(value), now)
  if (!session?.user.active) return null
  if (now - session.last_seen > touchAfter) {
    await touchSession(db, session.id, { last_seen: now, expires: now + sessionSeconds })
  }
  return session.user
}

/** The id of the session that this call comes with, if it does. */
export async function sessionOf(db: Db, c: Call, now: number): Promise<number | undefined> {
  const value = getCookie(c, sessionCookie)
  return value ? (await findSession(db, hashOfToken(value), now))?.id : undefined
}

/** The value for the cookie; the database keeps only its hash. */
export async function startSession(db: Db, user: User, now: number): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  await createSession(db, { hash: hashOfToken(value), user_id: user.id, created: now, expires: now + sessionSeconds })
  return value
}

export async function endSession(db: Db, c: Call): Promise<void> {
  const value = getCookie(c, sessionCookie)
  if (value) await deleteSession(db, hashOfToken(value))
}
