/**
 * The middleware of every request, before any handler. It does not listen (architecture.md,
 * "Structure").
 */
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { json } from '../http/responses.ts'
import { routePath } from 'hono/route'
import type { AnsweredCall } from '../interfaces/figures.ts'
import type { AppEnv, Call, HttpDependencies } from '../http/context.ts'
import { yieldForBulk } from '../lib/event-loop.ts'
import { cookiePrefixOf } from '../lib/cookie-prefix.ts'
import { setCorsHeaders } from '../http/cors.ts'
import { failureOf, refusalOf, type RefusedAs } from '../http/errors.ts'
import { createHostCheck } from '../http/hosts.ts'
import { refusalPage, wantsPage } from '../http/link-page.ts'
import {
  checkOrigin,
  setNoCacheHeaders,
  setPageHeaders,
  setPartHeaders,
  policyOfNoPage,
  setSecurityHeaders,
  setTransportHeader,
} from '../http/security.ts'
import { pathOf } from '../http/paths.ts'
import { createWebPart, type WebPart } from '../http/web-part.ts'
import { refuseRewrittenPaths } from './middleware.ts'

export type AppOptions = Pick<
  Required<HttpDependencies>,
  'webRoot' | 'publicUrl' | 'host' | 'allowHosts' | 'allowOrigins' | 'log'
> & {
  /** Called with each finished response. */
  observe?: (call: AnsweredCall) => void
  /** Inserted into every page before its own scripts. */
  pageScript?: () => string
  /** Requests that skip the origin check; by default those with their own credential. */
  isFreeOfOrigin?: (c: Call) => boolean
  /** The user who requests a page, if this server knows users. */
  pagePerson?: (c: Call) => Promise<number | undefined>
}

/** The API: the embedded server or the gateway. */
export interface Composition {
  /**
   * For runners and git, which are not browsers: they have their own body limits, credentials and
   * error formats.
   */
  addPrograms?(app: Hono<AppEnv>): void
  /**
   * Routes for browsers and API clients, after the checks. The front end serves all other paths.
   */
  addPages(app: Hono<AppEnv>, web: WebPart): void
}

/**
 * The bytes that a request for a log or stream counts as, within the limit of large responses per
 * turn.
 */
const bulkRequestBytes = 128 * 1024

export function createApp(options: AppOptions, composition: Composition): Hono<AppEnv> {
  const { publicUrl, allowOrigins } = options
  const web = createWebPart(options.webRoot, { script: options.pageScript, person: options.pagePerson })
  const checkHost = createHostCheck(publicUrl, options.host, options.allowHosts)
  const app = new Hono<AppEnv>({ getPath: pathOf })

  app.onError((error, c) => {
    const refusal = refusalOf(error)
    if (!refusal) options.log(`${c.req.method} ${c.req.path} failed (request ${c.get('requestId') ?? ''})`, error)
    const { status, message, retryAfter }: RefusedAs = refusal ?? failureOf(error)
    const response = wantsPage(c) ? refusalPage(message, status, c.req.path) : json({ message }, status)
    if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
    return response
  })
  const cookiePrefix = cookiePrefixOf(publicUrl)
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('cookiePrefix', cookiePrefix)
    await next()
    const { headers, status } = c.res
    // The route that matched last is the one that responded.
    options.observe?.({
      method: c.req.method,
      route: routePath(c),
      status,
      seconds: (performance.now() - startedAt) / 1000,
    })
    setTransportHeader(headers, publicUrl)
    // The page's files get no request id: it would add to the first load, and serving them does not
    // fail.
    if (c.get('isPart')) setPartHeaders(headers)
    // The page's policy lists its inline scripts, which requires reading its file: API calls do not
    // need that.
    else {
      headers.set('X-Request-Id', requestId)
      setSecurityHeaders(headers, c.req.path.startsWith('/api/') ? policyOfNoPage : web.policy())
      setPageHeaders(headers, c.req.path)
    }
    if (!headers.has('Cache-Control')) setNoCacheHeaders(headers)
    if (c.req.path.startsWith('/api')) setCorsHeaders(c, headers, allowOrigins)
  })
  app.use(refuseRewrittenPaths)
  composition.addPrograms?.(app)
  app.use(async (c, next) => {
    checkHost(c)
    checkOrigin(c, publicUrl, allowOrigins, options.isFreeOfOrigin)
    await next()
  })
  // Before authentication: a thousand concurrent requests are handled a few per turn of the event
  // loop.
  for (const path of ['/api/repos/:owner/:name/builds/:number/logs/*', '/api/stream', '/api/stream/*'])
    app.use(path, async (_, next) => {
      await yieldForBulk(bulkRequestBytes)
      await next()
    })
  composition.addPages(app, web)
  app.all('*', (c) => web.answer(c))
  return app
}
