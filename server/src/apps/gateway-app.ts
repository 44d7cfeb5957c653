/** The app in front of a Drone server, as a function of a request. It has no database. */
import type { Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { createApp, type AppOptions } from './app.ts'
import { cookiePrefixOf } from '../lib/cookie-prefix.ts'
import { isRemembered, isShared } from '../gateway/response-cache.ts'
import { personOf, type Person } from '../gateway/viewer-request.ts'
import { createSignInPage, filePage, linkedFile } from '../gateway/file-links.ts'
import { forward } from '../gateway/forward.ts'
import type { ViewerServices } from '../gateway/viewer-services.ts'
import { cookiesFor, serverSession, tokenCookie, type Credential } from '../gateway/proxy-headers.ts'
import { createHookReader } from '../gateway/hook-reader.ts'
import { isPage, redirectTargetOf, probe, proxyFailure, redirectionOf } from '../gateway/probe.ts'
import { reply } from '../gateway/reply.ts'
import { checkAllowed, type ServerToken } from '../gateway/server-token.ts'
import { isToken, openToken, tokenSeconds } from '../gateway/sign-in.ts'
import type { Upstream } from '../gateway/upstream.ts'
import { json, redirect } from '../http/responses.ts'
import { formOf } from '../http/bodies.ts'
import { addressOf, type AppEnv, type Call } from '../http/context.ts'
import { cookieName, cookieOptions, readCookie } from '../http/cookies.ts'
import { pageStyleAnswer } from '../http/html.ts'
import { bringsCredential } from '../http/security.ts'
import { isCrossOrigin, signOutQuestion, withCookies } from '../http/sign-in.ts'
import type { WebPart } from '../http/web-part.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'
import { streamResponse } from '../lib/stream-connection.ts'

export interface GatewayAppOptions extends AppOptions {
  upstream: Upstream
  front: ViewerServices
  /** Added to the server's own at `/metrics`. */
  figures?: { text(): string }
  box: SecretsBox
  /** Added to every request; the gateway's users have no credentials of their own. */
  serverToken: ServerToken | null
  trustProxy: boolean
  version: string
  /** `publicUrl` is a name that was given to this gateway, and not made from its port. */
  isNamed: boolean
  /** Throws if the server is known to have another API. */
  checkServer: () => Promise<void>
}

/** Paths that the Drone server handles. The pages below `/login` and `/logout` are served here. */
const ofApi = ['/api', '/api/*']
const forwarded = ['/version', '/varz']
/** Called by runners and forges, under any host name and with bodies of any size. */
const ofPrograms = ['/hook', '/rpc', '/rpc/*']
/** Long polls of runners, half a minute each. They change nothing that a cached response shows. */
const changesNothing = /^\/rpc\/v2\/(ping|stage|build\/\d+\/watch|step\/\d+\/logs\/batch)$/
const reads = /^(GET|HEAD|OPTIONS)$/
const noCredential: Credential = { token: null, session: false }

export function createGatewayApp(options: GatewayAppOptions): Hono<AppEnv> {
  const { upstream, front, box, publicUrl, serverToken, checkServer } = options
  const signInPage = createSignInPage(upstream)
  const secureOf = (c: Call) => cookieOptions(c, options)

  /**
   * The credential by which the server authorizes this call. The call's own credential comes first
   * (docs/api §3.1).
   */
  function credentialOf(c: Call): Credential {
    if (serverToken) return { token: serverToken.token, session: false }
    if (c.req.header('authorization') || bringsCredential(c)) return { token: null, session: false }
    const token = openToken(box, readCookie(c, tokenCookie))
    return { token, session: token === null }
  }

  /** Drone's API never responds with a page or a redirect. */
  async function refuseOthers(response: Response): Promise<Response> {
    const elsewhere = redirectionOf(upstream.origin, response.headers.get('location'), publicUrl)
    const failure = proxyFailure(upstream.origin, response)
    if (elsewhere === null && failure === null && !isPage(response.headers)) return response
    await response.body?.cancel()
    if (failure !== null) throw new Refusal(503, failure)
    const hint = 'it is not a Drone server, or a proxy in front of it requires its own sign-in'
    throw new Refusal(502, elsewhere ?? `${upstream.origin} answers the API with a page: ${hint}`)
  }

  const cutOf = (c: Call) => () => void c.env?.outgoing?.destroy()

  function pass(
    c: Call,
    credential = credentialOf(c),
    { request = c.req.raw, onBody }: { request?: Request; onBody?: ((chunk: Buffer) => void) | undefined } = {},
  ): Promise<Response> {
    return forward(upstream, publicUrl, request, {
      ...credential,
      address: addressOf(c, { trustProxy: false }),
      proto: secureOf(c).secure ? 'https' : 'http',
      trustProxy: options.trustProxy,
      cut: cutOf(c),
      onBody,
    })
  }

  /**
   * After a call that may have changed something, changes are polled and cached responses are no
   * longer used.
   */
  async function change(c: Call, credential?: Credential, onBody?: (chunk: Buffer) => void): Promise<Response> {
    front.answers.changed()
    try {
      return await pass(c, credential, { onBody })
    } finally {
      front.answers.changed()
    }
  }

  function callerOf(c: Call): Person | null {
    const { token, session } = credentialOf(c)
    if (token !== null) return personOf({ authorization: `Bearer ${token}` })
    const authorization = c.req.header('authorization')
    if (authorization) return personOf({ authorization })
    // A token in the address belongs to a program: only requests of our own pages are tracked.
    if (!session || c.req.query('access_token') !== undefined) return null
    return personOf({ cookie: cookiesFor(c.req.header('cookie') ?? '', cookiePrefixOf(publicUrl), true) })
  }

  async function share(c: Call, person: Person): Promise<Response | null> {
    const url = new URL(c.req.url)
    if (!isShared(url.pathname)) return null
    const { headers, signal } = c.req.raw
    const body = await front.answers.get(person, url.pathname + url.search, signal)
    return body && reply(headers, body, isRemembered(url.pathname))
  }

  /** Requests that pass show which builds are being viewed and what has changed. */
  async function api(c: Call): Promise<Response> {
    const { pathname } = new URL(c.req.url)
    await checkServer()
    const person = callerOf(c)
    if (!reads.test(c.req.method)) {
      const response = await refuseOthers(await change(c))
      if (response.status < 300) front.watch.acted(pathname, person)
      return response
    }
    const isGet = c.req.method === 'GET'
    const response = (isGet && person && (await share(c, person))) || (await refuseOthers(await pass(c)))
    if (person && isGet && (response.status === 200 || response.status === 304)) front.watch.looked(person, pathname)
    if (person && response.status === 401) void front.doubt(person)
    return response
  }

  /** Redirects to the file at the forge, if the forge is known. */
  async function link(c: Call): Promise<Response> {
    const response = await pass(c)
    const file = linkedFile(new URL(c.req.url))
    const location = response.headers.get('location')
    const page = file && location && filePage(location, file, await signInPage())
    if (!page) return response
    await response.body?.cancel()
    return redirect(page)
  }

  async function events(c: Call): Promise<Response> {
    await checkServer()
    const person = c.req.method === 'GET' ? callerOf(c) : null
    const joined = person && (await front.streams.join(person))
    if (!joined) return pass(c)
    const { signal } = c.req.raw
    if (signal.aborted) joined.leave()
    else signal.addEventListener('abort', joined.leave, { once: true })
    return streamResponse(c.env, joined.attach)
  }

  /** Finishes the sign-in at the server and returns here. */
  async function signIn(c: Call): Promise<Response> {
    await checkServer()
    const response = await pass(c)
    const failure = proxyFailure(upstream.origin, response)
    if (failure !== null) {
      await response.body?.cancel()
      throw new Refusal(503, failure)
    }
    // From here on the browser has that user's session instead of the shared token's.
    if (startsSession(response)) deleteCookie(c, cookieName(c, tokenCookie), secureOf(c))
    const end = redirectTargetOf(response.headers.get('location'), upstream.origin, publicUrl)
    if (end === 'here' || (end === 'unsaid' && options.isNamed)) return withCookies(c.body(null), response)
    await response.body?.cancel()
    return redirect('/login/token')
  }

  function startsSession(response: Response): boolean {
    const name = cookiePrefixOf(publicUrl) + serverSession
    return response.headers.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`) && !/max-age=0/i.test(cookie))
  }

  async function signInByToken(c: Call): Promise<Response> {
    await checkServer()
    const token = (await formOf(c)).get('token')?.trim() ?? ''
    if (!(await isToken(upstream, token))) {
      return redirect(`/login/error?message=${encodeURIComponent('The server does not accept this token')}`)
    }
    setCookie(c, cookieName(c, tokenCookie), box.encrypt(token), { ...secureOf(c), maxAge: tokenSeconds })
    if (readCookie(c, serverSession)) deleteCookie(c, cookieName(c, serverSession), secureOf(c))
    return c.redirect('/', 303)
  }

  async function signOut(c: Call, web: WebPart): Promise<Response> {
    deleteCookie(c, cookieName(c, tokenCookie), secureOf(c))
    const response = await pass(c).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      // The server would only delete its cookie, and a sign-out must work while it is down.
      deleteCookie(c, cookieName(c, serverSession), secureOf(c))
      return new Response()
    })
    await response.body?.cancel()
    return withCookies(c.body(null), withCookies(response, await web.page(c)))
  }

  /** The server's metrics, plus the gateway's for clients that can read the server's. */
  async function metrics(c: Call): Promise<Response> {
    if (c.req.method !== 'GET' || !options.figures) return pass(c)
    // Plain text in the format of the gateway's metrics.
    const headers = new Headers(c.req.raw.headers)
    headers.set('Accept', 'text/plain;version=0.0.4')
    headers.set('Accept-Encoding', 'identity')
    const response = await pass(c, credentialOf(c), { request: new Request(c.req.raw, { headers }) })
    if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/plain')) return response
    const upstreamText = (await response.text()).replace(/\n?$/, '\n')
    const withFigures = new Response(upstreamText + options.figures.text(), response)
    withFigures.headers.delete('Content-Length')
    return withFigures
  }

  const check = (c: Call) => serverToken && checkAllowed(serverToken, c.req.method, c.req.path)

  /** There is no sign-in or sign-out if all visitors share one token. */
  function addNoSignIn(app: Hono<AppEnv>): void {
    app.use(async (c, next) => {
      check(c)
      await next()
    })
    for (const path of ['/login', '/login/token', '/login/form', '/logout', '/welcome', '/register']) {
      app.all(path, () => redirect('/'))
    }
  }

  function addPages(app: Hono<AppEnv>, web: WebPart): void {
    if (serverToken) addNoSignIn(app)
    app.get('/api/stream', (c) => events(c))
    // For the pages that the gateway renders itself; Drone has nothing at that address.
    app.get('/link/style.css', () => pageStyleAnswer())
    for (const path of ofApi) app.all(path, (c) => api(c))
    app.all('/link/*', (c) => link(c))
    for (const path of forwarded) app.all(path, (c) => pass(c))
    app.all('/metrics', (c) => metrics(c))
    app.get('/login', (c) => signIn(c))
    app.post('/login', (c) => signIn(c))
    app.post('/login/token', (c) => signInByToken(c))
    app.get('/logout', (c) => (isCrossOrigin(c, options) ? c.html(signOutQuestion) : signOut(c, web)))
    app.post('/logout', (c) => signOut(c, web))
    async function health(c: Call): Promise<Response> {
      const { state, version } = await probe(upstream)
      const server = { url: upstream.origin, state, version }
      const body = { flightdeck: { state: 'ok', version: options.version }, server }
      const isExcluded = (c.req.query('exclude') ?? '').split(',').includes('server')
      return json(body, state === 'ok' || isExcluded ? 200 : 503)
    }
    app.all('/healthz', (c) => health(c))
    app.all('/readyz', (c) => health(c))
  }
  // A shared token is used whatever credentials a request has, so every request needs the check.
  const isFreeOfOrigin = (c: Call) => serverToken === null && bringsCredential(c)
  return createApp(
    { ...options, isFreeOfOrigin },
    {
      addPages,
      addPrograms(app) {
        for (const path of ofPrograms) {
          // These requests have their own credentials.
          app.all(path, async (c) => {
            check(c)
            if (changesNothing.test(c.req.path)) return pass(c, noCredential)
            if (path !== '/hook') return change(c, noCredential)
            const hook = createHookReader(c.req.header('content-type') ?? null)
            const response = await change(c, noCredential, (chunk) => hook.add(chunk))
            if (response.status < 300) front.watch.acted(path, null, hook.slugs())
            return response
          })
        }
      },
    },
  )
}
