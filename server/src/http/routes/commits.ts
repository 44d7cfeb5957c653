/** Commits: ours alone. */
import { listBuilds } from '../../store/builds.ts'
import { jsonCommit, jsonList } from '../responses.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'

/** More builds than one commit ever has. */
const maxBuilds = 100

/** A sha, also a short one: what is named by a ref changes. */
function shaOf(c: Call): string {
  const sha = param(c, 'sha')
  if (!/^[0-9a-f]{7,64}$/.test(sha)) throw new Refusal(404, 'Commit not found')
  return sha
}

export function commitsRoutes({ store: { db }, ci }: HttpDependencies) {
  return {
    'GET /api/repos/:owner/:name/commits/:sha': async (c) =>
      jsonCommit(await ci.commit(repoOf(c), shaOf(c), c.req.raw.signal)),
    'GET /api/repos/:owner/:name/commits/:sha/builds': async (c) =>
      jsonList(
        await ci.withReasons(await listBuilds(db, repoOf(c).id, { page: 1, perPage: maxBuilds, after: shaOf(c) })),
      ),
  } satisfies Record<string, Handler>
}
