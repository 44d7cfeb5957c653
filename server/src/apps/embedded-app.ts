/** The app in front of our own CI server, as a function of a request. */
import type { Hono } from 'hono'
import { createApp } from './app.ts'
import { redirect, unknownPath, wrongMethod } from '../http/responses.ts'
import { addApi } from '../http/api.ts'
import { isFeed, ownerByCookie, personHeader } from '../http/authenticate.ts'
import { basicChallenge } from '../http/basic.ts'
import { checkLength } from '../http/bodies.ts'
import { withDefaults, type AppEnv, type Call, type HttpDependencies } from '../http/context.ts'
import { addGit } from '../http/git/index.ts'
import { addHook } from '../http/hook.ts'
import { identify } from '../http/recheck-rights.ts'
import { movedPath } from '../http/moved.ts'
import { addRpc } from '../http/rpc/index.ts'
import { addSignIn } from '../http/sign-in.ts'
import type { AnsweredCall } from '../interfaces/figures.ts'
import { isLogged, writeLog } from '../lib/log.ts'

/** Serializes a value for the page's script, so that it cannot end the script element. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

export function createEmbeddedApp(given: HttpDependencies): Hono<AppEnv> {
  const dependencies = withDefaults(given)
  const { forge } = dependencies
  const { timeZone } = dependencies.ci
  const settings = [
    ...(dependencies.publicPages ? ['flightdeckPublicPages=true'] : []),
    ...(timeZone === 'UTC' ? [] : [`flightdeckTimeZone=${inScript(timeZone)}`]),
    ...(forge ? [`flightdeckForge=${inScript({ title: forge.title, url: forge.url, sign_in: forge.signIn })}`] : []),
  ]
  const pageScript = () => settings.join(';')
  // Optional: the page is served without it if the database fails.
  const pagePerson = async (c: Call) =>
    (await ownerByCookie(dependencies.store.db, c, dependencies.now()).catch(() => null))?.id
  const observe = (call: AnsweredCall): void => {
    dependencies.figures.observe(call)
    // Logs the route instead of the address, which can contain names or, by mistake, tokens.
    if (isLogged('debug'))
      writeLog('debug', `${call.method} ${call.route} ${call.status} ${Math.round(call.seconds * 1000)} ms`)
  }
  return createApp(
    { ...dependencies, pageScript, pagePerson, observe },
    {
      addPrograms(app) {
        // Responds only once the change survives a power failure. A slow disk does not make the
        // server look dead.
        app.use(async (c, next) => {
          await next()
          if (c.req.path === '/healthz') return
          const durable = dependencies.store.durable()
          await (c.req.method === 'GET' ? durable.catch(() => {}) : durable)
        })
        addRpc(app, dependencies)
        addGit(app, dependencies)
        addHook(app, dependencies)
      },
      addPages(app, web) {
        app.use(async (c, next) => {
          checkLength(c)
          await next()
        })
        for (const path of ['/api/*', '/metrics', '/link/*']) {
          app.use(path, async (c, next) => {
            await identify(dependencies, c)
            await next()
            c.res.headers.set(personHeader, String(c.get('user')?.id ?? 0))
            // Not sent to users who follow a link, because the browser would repeat the value in
            // later calls of the page.
            if (c.res.status === 401 && isFeed(c) && !/\btext\/html\b/.test(c.req.header('accept') ?? ''))
              c.res.headers.set('WWW-Authenticate', basicChallenge)
          })
        }
        // Requests of very old runners (docs/api §7.9) must not get the page.
        for (const path of ['/rpc', '/rpc/*']) app.all(path, unknownPath)
        // Only forges call this, with POST (docs/api §5.3). It is not a page.
        app.all('/hook', wrongMethod)
        addApi(app, dependencies)
        addSignIn(app, dependencies, web)
        app.get('/:owner/:name/*', async (c, next) => {
          const { db } = dependencies.store
          const person = await ownerByCookie(db, c, dependencies.now()).catch(() => null)
          const to = await movedPath(db, c, person, 1).catch(() => null)
          return to === null ? next() : redirect(to)
        })
      },
    },
  )
}
