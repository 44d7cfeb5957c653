/** The app in front of another server, as a function of a request. It knows no database. */
import type { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createApp, type AppOptions } from './app.ts'
import { forward, tokenCookie } from './gateway/forward.ts'
import { probe, signsInHere } from './gateway/probe.ts'
import { isToken, openToken, tokenSeconds } from './gateway/sign-in.ts'
import type { Upstream } from './gateway/upstream.ts'
import { json, redirect } from './http/answers.ts'
import { formOf } from './http/bodies.ts'
import { addressOf, type AppEnv, type Call } from './http/context.ts'
import { cookieOptions } from './http/session-cookie.ts'
import { cameFromElsewhere, signOutQuestion, withCookies } from './http/sign-in.ts'
import type { WebPart } from './http/web-part.ts'
import type { SecretsBox } from './secrets-box.ts'

export interface GatewayAppOptions extends AppOptions {
  upstream: Upstream
  box: SecretsBox
  trustProxy: boolean
  version: string
}

/** What is the other server's. Below `/login` and `/logout` the pages are ours. */
const forwarded = ['/api', '/api/*', '/link/*', '/version', '/varz', '/metrics']
/** Called by runners and forges, by whatever name they know us, and of any size. */
const ofPrograms = ['/hook', '/rpc', '/rpc/*']

export function createGatewayApp(options: GatewayAppOptions): Hono<AppEnv> {
  const { upstream, box, publicUrl } = options
  const secureOf = (c: Call) => cookieOptions(c, options)

  const pass = (c: Call): Promise<Response> => {
    const ownToken = c.req.header('authorization') === undefined
    return forward(upstream, publicUrl, c.req.raw, {
      address: addressOf(c, options),
      proto: secureOf(c).secure ? 'https' : 'http',
      token: ownToken ? openToken(box, getCookie(c, tokenCookie)) : null,
    })
  }

  async function signOut(c: Call, web: WebPart): Promise<Response> {
    deleteCookie(c, tokenCookie, secureOf(c))
    const answer = await pass(c)
    await answer.body?.cancel()
    return withCookies(c.body(null), withCookies(answer, web.page(c)))
  }

  function addPages(app: Hono<AppEnv>, web: WebPart): void {
    for (const path of forwarded) app.all(path, pass)
    app.get('/login', async (c) => ((await signsInHere(upstream, publicUrl)) ? pass(c) : redirect('/login/token')))
    app.post('/login', pass)
    app.post('/login/token', async (c) => {
      const token = (await formOf(c)).get('token')?.trim() ?? ''
      if (!(await isToken(upstream, token))) {
        return redirect(`/login/error?message=${encodeURIComponent('The server does not know this token')}`)
      }
      setCookie(c, tokenCookie, box.encrypt(token), { ...secureOf(c), maxAge: tokenSeconds })
      return c.redirect('/', 303)
    })
    app.get('/logout', (c) => (cameFromElsewhere(c, options) ? c.html(signOutQuestion) : signOut(c, web)))
    app.post('/logout', (c) => signOut(c, web))
    app.all('/healthz', async () => {
      const server = await probe(upstream)
      return json({
        flightdeck: { state: 'ok', version: options.version },
        server: { url: upstream.origin, ...server },
      })
    })
  }
  return createApp(options, {
    addPages,
    addPrograms(app) {
      for (const path of ofPrograms) app.all(path, pass)
    },
  })
}
