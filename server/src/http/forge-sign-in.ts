/** Signing in with the forge: the way there and back (docs/api §3.3). */
import type { User } from '@flightdeck/api'
import { setCookie } from 'hono/cookie'
import type { Forge, SignedIn } from '../interfaces/forge.ts'
import { redirect } from './responses.ts'
import { queryOf } from './bodies.ts'
import type { Call, HttpDependencies } from './context.ts'
import { cookieName, cookieOptions, readCookie } from './cookies.ts'
import { openSession } from './session-cookie.ts'

/** Proves that the answer of the forge belongs to this browser. */
const stateCookie = '_oauth_state_'
const maxAgeSeconds = 15 * 60

export const signInFailed = (message: string): Response =>
  redirect(`/login/error?message=${encodeURIComponent(message)}`)

const withCookie = (from: Response, to: Response): Response => {
  for (const value of from.headers.getSetCookie()) to.headers.append('Set-Cookie', value)
  return to
}

/** The end of every sign-in at the forge: a session, or why there is none. */
export async function finishSignIn(
  dependencies: Required<HttpDependencies>,
  c: Call,
  signedIn: SignedIn,
): Promise<Response> {
  if ('refused' in signedIn) return withCookie(c.body(null), signInFailed(signedIn.refused))
  const { user }: { user: User } = signedIn
  if (user.machine) return signInFailed('Machine account login is forbidden')
  if (!(await openSession(dependencies, c, user.id))) return signInFailed('Account is not active')
  return withCookie(c.body(null), redirect('/'))
}

/** `GET /login` with a forge's sign-in page: redirects to it, or handles its callback. */
export async function oauthLogin(
  dependencies: Required<HttpDependencies>,
  c: Call,
  forge: Pick<Forge, 'begin' | 'finish' | 'title'>,
): Promise<Response> {
  const query = queryOf(c)
  const options = cookieOptions(c, dependencies)
  const name = cookieName(c, stateCookie)
  if (!query.has('code') && !query.has('state') && !query.has('error')) {
    const { url, cookie } = forge.begin(readCookie(c, stateCookie))
    setCookie(c, name, cookie, { ...options, maxAge: maxAgeSeconds })
    return withCookie(c.body(null), redirect(url))
  }
  if (query.has('error')) {
    const reason = query.get('error_description') || query.get('error') || ''
    return signInFailed(`${forge.title}: ${reason.slice(0, 200)}`)
  }
  const answer = {
    cookie: readCookie(c, stateCookie) ?? '',
    state: query.get('state') ?? '',
    code: query.get('code') ?? '',
  }
  const { cookie = '', ...signedIn } = await forge.finish(answer, c.req.raw.signal)
  // Each sign-in is used once, whatever the outcome.
  setCookie(c, name, cookie, { ...options, maxAge: cookie === '' ? 0 : maxAgeSeconds })
  return finishSignIn(dependencies, c, signedIn)
}
