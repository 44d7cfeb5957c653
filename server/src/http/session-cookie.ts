/** The cookie that a session lives in (docs/api §3.2). */
import type { User } from '@flightdeck/api'
import { setCookie } from 'hono/cookie'
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

/** From now on this browser is `user`'s. */
export async function signIn(dependencies: Required<HttpDependencies>, c: Call, user: User): Promise<void> {
  const { now } = dependencies
  const { db } = dependencies.store
  // Who signs in as somebody else leaves no session behind.
  await endSession(db, c)
  await updateUser(db, user.id, { last_login: now() })
  const value = await startSession(db, user, now())
  setCookie(c, sessionCookie, value, { ...cookieOptions(c, dependencies), maxAge: sessionSeconds })
}
