/** The cookie that a session lives in (docs/api §3.2). */
import type { User } from '@flightdeck/api'
import { setCookie } from 'hono/cookie'
import { holdsStill } from '../people/invitations.ts'
import { inTransaction } from '../store/open.ts'
import { updateUser } from '../store/users.ts'
import { endSession, sessionCookie } from './authenticate.ts'
import { sessionSeconds, startSession } from '../people/sessions.ts'
import type { Call, HttpDependencies } from './context.ts'

/** Secure where the browser speaks https: with this server, or with the proxy in front of it. */
export function cookieOptions(c: Call, { publicUrl, trustProxy }: Pick<HttpDependencies, 'publicUrl' | 'trustProxy'>) {
  const proto = trustProxy ? c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim() : undefined
  const secure = publicUrl.startsWith('https:') || proto === 'https'
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
}

/**
 * From now on this browser is `user`'s. False if `hash` is not that of the password any more: to look at one takes time, and
 * whoever changes it, or closes the account, ends all sessions that there are by then.
 */
export async function signIn(
  dependencies: Required<HttpDependencies>,
  c: Call,
  { user, hash }: { user: User; hash: string },
): Promise<boolean> {
  const { now } = dependencies
  const value = await inTransaction(dependencies.store.db, async (tx) => {
    if (!(await holdsStill(tx, user.id, hash))) return null
    // Who signs in as somebody else leaves no session behind.
    await endSession(tx, c)
    await updateUser(tx, user.id, { last_login: now() })
    return startSession(tx, user, now())
  })
  if (value === null) return false
  setCookie(c, sessionCookie, value, { ...cookieOptions(c, dependencies), maxAge: sessionSeconds })
  return true
}
