/** The session cookie (docs/api §3.2). */
import type { User } from '@flightdeck/api'
import { setCookie } from 'hono/cookie'
import { holdsStill } from '../people/invitations.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { findUser, updateUser } from '../store/users.ts'
import { endSession, sessionCookie } from './authenticate.ts'
import { deviceSeconds } from '../people/known-devices.ts'
import { sessionSeconds, startSession } from '../people/sessions.ts'
import { addressOf, type Call, type HttpDependencies } from './context.ts'
import { cookieName, cookieOptions, readCookie } from './cookies.ts'
import { checkOrigin } from './security.ts'

const deviceCookie = '_device_'

/** The device of this call, if it was used to sign in to this account before. */
export const deviceOf = ({ devices }: Required<HttpDependencies>, c: Call, userId: number): string | undefined =>
  devices.find(readCookie(c, deviceCookie), userId)

/**
 * Throws for a page of another origin, whatever token the call has: the page could sign the browser
 * in to an account of its choice.
 */
export function checkMaySignIn(c: Call, { publicUrl, allowOrigins }: Required<HttpDependencies>): void {
  checkOrigin(c, publicUrl, allowOrigins, () => false)
}

/**
 * Signs `user` in on this browser. Returns false if `hash` is no longer the password's hash:
 * checking a password takes time, and changing it or closing the account in the meantime ends all
 * current sessions. Throws like `checkMaySignIn`.
 */
export async function signIn(
  dependencies: Required<HttpDependencies>,
  c: Call,
  { user, hash }: { user: User; hash: string },
): Promise<boolean> {
  checkMaySignIn(c, dependencies)
  return openSession(dependencies, c, user.id, (tx) => holdsStill(tx, user.id, hash))
}

const maxAgentLength = 300

/** What the owner of a session recognizes it by. */
const originOf = (dependencies: Required<HttpDependencies>, c: Call) => ({
  address: addressOf(c, dependencies),
  agent: (c.req.header('user-agent') ?? '').slice(0, maxAgentLength),
})

/**
 * Like `signIn`, after another provider has authenticated the user. False if the account is closed
 * or `mayStill` refuses.
 */
export async function openSession(
  dependencies: Required<HttpDependencies>,
  c: Call,
  userId: number,
  mayStill: (tx: Db) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { now } = dependencies
  const value = await inTransaction(dependencies.store.db, async (tx) => {
    const user = await findUser(tx, userId)
    if (!user?.active || !(await mayStill(tx))) return null
    // Signing in as another user ends the previous session.
    await endSession(tx, c)
    await updateUser(tx, user.id, { last_login: now() })
    return startSession(tx, user, now(), originOf(dependencies, c))
  })
  if (value === null) return false
  setCookie(c, cookieName(c, sessionCookie), value, { ...cookieOptions(c, dependencies), maxAge: sessionSeconds })
  if (deviceOf(dependencies, c, userId) === undefined) {
    const device = dependencies.devices.issue(userId)
    setCookie(c, cookieName(c, deviceCookie), device, { ...cookieOptions(c, dependencies), maxAge: deviceSeconds })
  }
  return true
}
