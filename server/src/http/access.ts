/**
 * The rights that each call needs, from the endpoint table (docs/api §2, architecture.md "who
 * may"). Routes are registered from the table: an endpoint that is not in it is not served, and one
 * without a handler does not compile.
 */
import { endpoints, type CallName, type Level, type Row } from '@flightdeck/api/endpoints'

export type { Level } from '@flightdeck/api/endpoints'
export type RouteName = CallName

export const access = Object.fromEntries(
  Object.values<Row>(endpoints).map(({ call, level }) => [call, level]),
) as Readonly<Record<RouteName, Level>>

/** Calls that a named token may not make. */
export const refusedToNamedTokens: ReadonlySet<RouteName> = new Set(
  Object.values<Row>(endpoints).flatMap(({ call, notByNamedToken }) => (notByNamedToken ? [call as RouteName] : [])),
)

/** Roots of route groups, where a slash at the end is accepted (docs/api §0 "trailing slash"). */
export const groupRoots: ReadonlySet<string> = new Set([
  '/api/user',
  '/api/user/repos',
  '/api/users',
  '/api/repos',
  '/api/stream',
  '/api/repos/:owner/:name',
  '/api/repos/:owner/:name/collaborators',
  '/api/repos/:owner/:name/builds',
  '/api/repos/:owner/:name/secrets',
  '/api/repos/:owner/:name/cron',
  '/api/secrets',
  '/api/secrets/:namespace',
  '/api/templates',
  '/api/templates/:namespace',
  '/api/queue',
])
