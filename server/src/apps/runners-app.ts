/**
 * Only what runners need: their protocol, and the repositories that they clone. For separate
 * listeners.
 */
import { Hono } from 'hono'
import { unknownPath } from '../http/responses.ts'
import { withDefaults, type AppEnv, type HttpDependencies } from '../http/context.ts'
import { addGit } from '../http/git/index.ts'
import { addRpc } from '../http/rpc/index.ts'
import { setNoCacheHeaders, setSecurityHeaders } from '../http/security.ts'
import { refuseRewrittenPaths } from './middleware.ts'

export function createRunnersApp(given: HttpDependencies): Hono<AppEnv> {
  // There is no proxy in between, so its headers are not trusted.
  const dependencies = { ...withDefaults(given), trustProxy: false }
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    await next()
    setSecurityHeaders(c.res.headers, "default-src 'none'")
    setNoCacheHeaders(c.res.headers)
  })
  app.use(refuseRewrittenPaths)
  addRpc(app, dependencies)
  addGit(app, dependencies)
  app.all('*', unknownPath)
  return app
}
