/** The last builds of several repositories. An extra route, which Drone does not have. */
import { Refusal } from '../../lib/refusal.ts'
import { listLastBuilds } from '../../store/last-builds.ts'
import { userOf, type Handler, type HttpDependencies } from '../context.ts'
import { jsonList } from '../responses.ts'

/** Of one request. */
const maxRepos = 100
const limit = 12

/** Ids as `1,2,3`, each of which counts once. */
function idsOf(text: string): number[] {
  const parts = text === '' ? [] : text.split(',', maxRepos + 1)
  if (parts.length === 0 || parts.length > maxRepos) throw new Refusal(400, `Request 1 to ${maxRepos} repositories`)
  if (!parts.every((part) => /^\d{1,15}$/.test(part))) throw new Refusal(400, 'Invalid repositories: send ids as 1,2,3')
  return [...new Set(parts.map(Number))]
}

export function lastBuildsRoutes({ store: { db } }: Pick<HttpDependencies, 'store'>) {
  return {
    'GET /api/user/builds/last': async (c) =>
      jsonList(await listLastBuilds(db, { reader: userOf(c), repoIds: idsOf(c.req.query('repos') ?? ''), limit })),
  } satisfies Record<string, Handler>
}
