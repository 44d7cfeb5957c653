/** The server as a function of a request. It never listens (architecture.md, "The house"). */
import { Hono } from 'hono'
import { json, unknownPath } from './http/answers.ts'
import { addApi } from './http/api.ts'
import { authenticate, personHeader } from './http/authenticate.ts'
import { checkLength } from './http/bodies.ts'
import { withDefaults, type AppEnv, type HttpDependencies } from './http/context.ts'
import { setCorsHeaders } from './http/cors.ts'
import { refusalOf, type Refusal } from './http/errors.ts'
import { addGit } from './http/git/index.ts'
import { refusalPage, wantsPage } from './http/link-page.ts'
import { createHostCheck } from './http/hosts.ts'
import { addRpc } from './http/rpc/index.ts'
import { checkOrigin, isRewritten, setNoCacheHeaders, setSecurityHeaders } from './http/security.ts'
import { addSignIn } from './http/sign-in.ts'
import { createWebPart } from './http/web-part.ts'

export type { HttpDependencies } from './http/context.ts'

export function createApp(given: HttpDependencies): Hono<AppEnv> {
  const dependencies = withDefaults(given)
  const web = createWebPart(dependencies.webRoot)
  const checkHost = createHostCheck(dependencies.publicUrl, dependencies.host, dependencies.allowHosts)
  const app = new Hono<AppEnv>()

  app.onError((error, c) => {
    const refusal = refusalOf(error)
    if (!refusal) dependencies.log(`${c.req.method} ${c.req.path} failed`, error)
    const { status, message, retryAfter }: Refusal = refusal ?? { status: 500, message: 'Internal Server Error' }
    const response = wantsPage(c) ? refusalPage(message, status) : json({ message }, status)
    if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
    return response
  })
  app.use(async (c, next) => {
    await next()
    const { headers } = c.res
    setSecurityHeaders(headers, web.policy())
    if (!headers.has('Cache-Control')) setNoCacheHeaders(headers)
    if (c.req.path.startsWith('/api')) setCorsHeaders(c, headers, dependencies.allowOrigins)
  })
  app.use(async (c, next) => (isRewritten(c) ? unknownPath() : next()))
  // Runners and git are no browsers: their bodies, credentials and refusals are their own.
  addRpc(app, dependencies)
  addGit(app, dependencies)
  app.use(async (c, next) => {
    checkHost(c)
    checkLength(c)
    checkOrigin(c, dependencies.publicUrl, dependencies.allowOrigins)
    await next()
  })
  for (const path of ['/api/*', '/metrics', '/link/*']) {
    app.use(path, async (c, next) => {
      const user = await authenticate(dependencies.store.db, c, dependencies.now())
      c.set('user', user)
      await next()
      c.res.headers.set(personHeader, String(user?.id ?? 0))
    })
  }

  // What runners of old asked for (docs/api §7.9) must not get the page.
  for (const path of ['/rpc', '/rpc/*']) app.all(path, unknownPath)
  addApi(app, dependencies)
  addSignIn(app, dependencies, web)
  app.all('*', (c) => web.answer(c))
  return app
}
