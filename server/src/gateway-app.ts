/** The app in front of another server, as a function of a request. It knows no database. */
import type { Transform } from 'node:stream'
import type { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createApp, type AppOptions } from './app.ts'
import { personOf, type Person } from './gateway/ask.ts'
import { forward, tokenCookie } from './gateway/forward.ts'
import { injectable } from './gateway/inject.ts'
import { probe, signsInHere } from './gateway/probe.ts'
import { isToken, openToken, tokenSeconds } from './gateway/sign-in.ts'
import type { Upstream } from './gateway/upstream.ts'
import type { Watch } from './gateway/watch.ts'
import { json, redirect } from './http/answers.ts'
import { formOf } from './http/bodies.ts'
import { addressOf, type AppEnv, type Call } from './http/context.ts'
import { cookieOptions } from './http/session-cookie.ts'
import { cameFromElsewhere, signOutQuestion, withCookies } from './http/sign-in.ts'
import type { WebPart } from './http/web-part.ts'
import type { SecretsBox } from './secrets-box.ts'

export interface GatewayAppOptions extends AppOptions {
  upstream: Upstream
  watch: Watch
  box: SecretsBox
  trustProxy: boolean
  version: string
}

/** What is the other server's. Below `/login` and `/logout` the pages are ours. */
const forwarded = ['/api', '/api/*', '/link/*', '/version', '/varz', '/metrics']
/** Called by runners and forges, by whatever name they know us, and of any size. */
const ofPrograms = ['/hook', '/rpc', '/rpc/*']

export function createGatewayApp(options: GatewayAppOptions): Hono<AppEnv> {
  const { upstream, watch, box, publicUrl } = options
  const secureOf = (c: Call) => cookieOptions(c, options)

  const tokenOf = (c: Call) =>
    c.req.header('authorization') === undefined ? openToken(box, getCookie(c, tokenCookie)) : null

  const pass = (c: Call, through?: Transform): Promise<Response> =>
    forward(upstream, publicUrl, c.req.raw, {
      address: addressOf(c, options),
      proto: secureOf(c).secure ? 'https' : 'http',
      token: tokenOf(c),
      cut: () => c.env?.outgoing?.destroy(),
      through,
    })

  function whoAsks(c: Call): Person | null {
    const token = tokenOf(c)
    const authorization = token === null ? c.req.header('authorization') : `Bearer ${token}`
    return personOf({ authorization, cookie: c.req.header('cookie') })
  }

  /** What passes tells what is looked at and what has changed. */
  async function api(c: Call): Promise<Response> {
    const answer = await pass(c)
    const { pathname } = new URL(c.req.url)
    if (answer.status < 300 && c.req.method !== 'GET') watch.acted(pathname)
    const person = answer.status === 200 && c.req.method === 'GET' ? whoAsks(c) : null
    if (person) watch.looked(person, pathname)
    return answer
  }

  async function events(c: Call): Promise<Response> {
    const person = whoAsks(c)
    if (!person) return pass(c)
    const { stream, inject } = injectable()
    const answer = await pass(c, stream)
    if (answer.status === 200) stream.once('close', watch.join(person, inject))
    return answer
  }

  async function signOut(c: Call, web: WebPart): Promise<Response> {
    deleteCookie(c, tokenCookie, secureOf(c))
    const answer = await pass(c)
    await answer.body?.cancel()
    return withCookies(c.body(null), withCookies(answer, web.page(c)))
  }

  function addPages(app: Hono<AppEnv>, web: WebPart): void {
    app.get('/api/stream', (c) => events(c))
    for (const path of forwarded) app.all(path, (c) => api(c))
    app.get('/login', async (c) => ((await signsInHere(upstream, publicUrl)) ? pass(c) : redirect('/login/token')))
    app.post('/login', (c) => pass(c))
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
      for (const path of ofPrograms) app.all(path, (c) => pass(c))
    },
  })
}
