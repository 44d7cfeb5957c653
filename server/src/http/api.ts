/**
 * Registers the API from the access table. Endpoints that are not in it are not served (docs/api
 * §0).
 */
import type { Hono } from 'hono'
import { access, groupRoots, refusedToNamedTokens, type Level } from './access.ts'
import { unknownPath, wrongMethod } from './responses.ts'
import { runAsActor } from '../lib/audit-context.ts'
import { actorOf } from './audit-actor.ts'
import { hasBody } from './bodies.ts'
import type { AppEnv, HttpDependencies } from './context.ts'
import { guard } from './guards.ts'
import { recheckRights, recheckResponse } from './recheck-rights.ts'
import { Refusal } from '../lib/refusal.ts'
import { movedAnswer, movedPath } from './moved.ts'
import { handlersOf } from './routes/index.ts'

interface Route {
  method: string
  path: string
  name: keyof typeof access
  level: Level
}

/**
 * Sorts literal paths before those with a parameter at the same position: `builds/latest` before
 * `builds/:number`.
 */
const weight = (path: string): string => path.replaceAll(/\/:[^/]+/g, '/~').replaceAll('/*', '/~~')

const routes: readonly Route[] = Object.entries(access)
  .map(([name, level]) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path, name: name as keyof typeof access, level }
  })
  .toSorted((a, b) => (weight(a.path) < weight(b.path) ? -1 : 1))

const namedTokenRefusal = () => new Refusal(403, 'A named token cannot do this: sign in, or use your personal token')

const withBody = /^(POST|PUT|PATCH|DELETE)$/

/** Changes by a person are audited. A sync copies what the source says and is not. */
const audited = (name: keyof typeof access): boolean => !name.startsWith('GET ') && name !== 'POST /api/user/repos'

const addresses = (path: string): string[] => (groupRoots.has(path) ? [path, `${path}/`] : [path])

export function addApi(app: Hono<AppEnv>, dependencies: Required<HttpDependencies>): void {
  const handlers = handlersOf(dependencies)
  // An answer to every question about methods: without CORS it allows nothing (docs/api §0 "CORS").
  app.options('/api/*', () => new Response(null))
  for (const { method, path, name, level } of routes) {
    app.on(method, addresses(path), async (c) => {
      // Hono would answer HEAD like GET; here it is a method like any other (docs/api §0 "wrong
      // method").
      if (c.req.method === 'HEAD' && method !== 'ALL') return wrongMethod()
      const at = path.split('/').indexOf(':owner')
      try {
        await guard(dependencies.store.db, c, level)
        if (c.get('namedToken') !== undefined && refusedToNamedTokens.has(name)) throw namedTokenRefusal()
      } catch (error) {
        const to = at < 0 ? null : await movedPath(dependencies.store.db, c, c.get('user'), at)
        if (to !== null) return movedAnswer(c, to)
        throw error
      }
      const [user, repo] = [c.get('user'), c.get('repo')]
      if (at >= 0 && user && repo) dependencies.forge?.recheckRight(user, repo)
      c.set('stillMay', (tx) => recheckRights({ ...dependencies, store: { ...dependencies.store, db: tx } }, c, level))
      // A slow sender determines when the body is complete.
      if (withBody.test(c.req.method) && (await hasBody(c))) await recheckRights(dependencies, c, level)
      const response = await (audited(name)
        ? runAsActor(actorOf(dependencies, c), () => handlers[name](c))
        : handlers[name](c))
      if (c.req.method === 'GET') await recheckResponse(dependencies, c, { level, answer: response })
      return response
    })
  }
  for (const path of new Set(routes.flatMap((route) => addresses(route.path)))) app.all(path, wrongMethod)
  app.all('/api', unknownPath)
  app.all('/api/*', unknownPath)
}
