/** Signing in and out with forms (docs/api §3.4, §3.5, §2.10 "logout"). */
import type { User } from '@flightdeck/api'
import { texts } from '@flightdeck/api'
import type { Hono } from 'hono'
import { findPassword, findUserByLogin } from '../store/users.ts'
import { redirect } from './responses.ts'
import { endSession, sessionCookie } from './authenticate.ts'
import { formOf } from './bodies.ts'
import { cookieName } from './cookies.ts'
import { addressOf, type AppEnv, type Call, type HttpDependencies } from './context.ts'
import { finishSignIn, oauthLogin } from './forge-sign-in.ts'
import { isPassword } from '../people/passwords.ts'
import { isOwnOrigin } from './security.ts'
import { deviceOf, signIn } from './session-cookie.ts'
import type { WebPart } from './web-part.ts'

const failure = (message: string) => redirect(`/login/error?message=${encodeURIComponent(message)}`)

/** A page elsewhere can lead a browser to `GET /logout`; then the person decides. */
export const signOutQuestion = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign out</title>
<form method="post" action="/logout"><p>Do you want to sign out?</p><button>Sign out</button> <a href="/">Stay signed in</a></form></html>
`

export function addSignIn(app: Hono<AppEnv>, dependencies: Required<HttpDependencies>, web: WebPart): void {
  const { brake, passwordLine, devices } = dependencies
  const { db } = dependencies.store

  async function check(c: Call, login: string, password: string): Promise<{ user: User; hash: string } | string> {
    const address = addressOf(c, dependencies)
    const user = await findUserByLogin(db, login)
    const stored = user && (await findPassword(db, user.id))
    const device = user ? deviceOf(dependencies, c, user.id) : undefined
    const { right, penalty } = await passwordLine.runYielding({ login, address, device }, async () => ({
      penalty: brake.enter(login, address),
      right: await isPassword(password, stored),
    }))
    if (!right || !user || stored === null) {
      if (device !== undefined) devices.failed(device)
      await penalty()
      return texts.unauthorized
    }
    brake.succeeded(login, address)
    if (user.machine) return 'Machine account login is forbidden'
    return user.active ? { user, hash: stored } : 'Account is not active'
  }

  const { forge } = dependencies
  app.get('/login', async (c) =>
    forge?.signIn === 'oauth' ? oauthLogin(dependencies, c, forge) : redirect('/login/form'),
  )
  app.post('/login', async (c) => {
    const form = await formOf(c)
    const login = form.get('username')?.trim()
    const password = form.get('password')
    if (!login || !password) return redirect('/login/form')
    const address = addressOf(c, dependencies)
    const result = await check(c, login, password)
    // A person without a password of this server may have one of the forge.
    if (result === texts.unauthorized && forge?.signIn === 'password') {
      const signedIn = await forge.withPassword(login, password, c.req.raw.signal)
      // A refusal has waited already, with the one before.
      if ('user' in signedIn) brake.succeeded(login, address)
      return finishSignIn(dependencies, c, signedIn)
    }
    if (typeof result === 'string') return failure(result)
    if (!(await signIn(dependencies, c, result))) return failure(texts.unauthorized)
    return c.redirect('/', 303)
  })

  async function signOut(c: Call): Promise<Response> {
    await endSession(db, c)
    // Browsers delete a cookie by name and path; the value is not a session (docs/api §3.2).
    const name = cookieName(c, sessionCookie)
    const secure = name === sessionCookie ? '' : '; Secure'
    c.header('Set-Cookie', `${name}=deleted; Path=/; Max-Age=0${secure}`, { append: true })
    return c.body(null)
  }
  app.get('/logout', async (c) => {
    if (isCrossOrigin(c, dependencies)) return c.html(signOutQuestion)
    return withCookies(await signOut(c), await web.page(c))
  })
  app.post('/logout', async (c) => withCookies(await signOut(c), await web.page(c)))
}

/**
 * Browsers name the site on https and localhost only; elsewhere the page that led here is all there
 * is.
 */
export function isCrossOrigin(c: Call, { publicUrl }: Pick<HttpDependencies, 'publicUrl'>): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const referer = c.req.header('referer') ?? ''
  return URL.canParse(referer) && !isOwnOrigin(new URL(referer).origin, publicUrl, c.req.header('host'))
}

/** `to`, with the cookies that `from` sets, too. */
export function withCookies(from: Response, to: Response): Response {
  for (const value of from.headers.getSetCookie()) to.headers.append('Set-Cookie', value)
  return to
}
