/** The cookie that a session lives in (wire.md §3.2). */
import type { User } from '@flightdeck/api'
import { setCookie } from 'hono/cookie'
import { updateUser } from '../store/users.ts'
import { endSession, sessionCookie, sessionSeconds, startSession } from './authenticate.ts'
import type { Call, HttpDependencies } from './context.ts'

export const cookieOptions = ({ publicUrl }: Pick<HttpDependencies, 'publicUrl'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: publicUrl.startsWith('https:') }) as const

/** From now on this browser is `user`'s. */
export async function signIn(dependencies: Required<HttpDependencies>, c: Call, user: User): Promise<void> {
  const { now } = dependencies
  const { db } = dependencies.store
  // Who signs in as somebody else leaves no session behind.
  await endSession(db, c)
  await updateUser(db, user.id, { last_login: now() })
  const value = await startSession(db, user, now())
  setCookie(c, sessionCookie, value, { ...cookieOptions(dependencies), maxAge: sessionSeconds })
}
