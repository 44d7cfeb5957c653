/** Creates, stores and checks tokens and sessions (docs/api §3.1, §3.2). */
import { createHash, randomBytes } from 'node:crypto'
import type { User } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import { createSession, findSession, touchSession, type SessionOrigin } from '../store/sessions.ts'
import { findUserByTokenHash } from '../store/users.ts'

/** 720 h (docs/api §3.2), counted from the last use. */
export const sessionSeconds = 720 * 3600
/** How often the last use is updated. */
const touchAfterSeconds = 3600

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/**
 * 32 letters and digits (docs/api §1.2). Bytes beyond the last whole multiple of 62 would favour
 * the first letters.
 */
export function newToken(length = 32): string {
  let token = ''
  while (token.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && token.length < length) token += letters[byte % 62]
  }
  return token
}

/** The owner of a token; `null` if it is unknown, or its account is disabled. */
export async function ownerOfToken(db: Db, token: string): Promise<User | null> {
  const owner = await findUserByTokenHash(db, hashOfToken(token))
  return owner?.active ? owner : null
}

/** The owner of a session, by its cookie's value; using it extends it. */
export async function ownerOfSession(db: Db, value: string, now: number): Promise<User | null> {
  const session = await findSession(db, hashOfToken(value), now)
  if (!session?.user.active) return null
  if (now - session.last_seen > touchAfterSeconds) {
    await touchSession(db, session.id, { last_seen: now, expires: now + sessionSeconds })
  }
  return session.user
}

/** Creates a session and returns the value for the cookie; the database stores only its hash. */
export async function startSession(db: Db, user: User, now: number, origin?: SessionOrigin): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const expires = now + sessionSeconds
  await createSession(db, { hash: hashOfToken(value), user_id: user.id, created: now, expires, origin })
  return value
}
