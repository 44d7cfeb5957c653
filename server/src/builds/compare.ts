/** Compares two commits of a repository. */
import type { Comparison, Repo } from '@flightdeck/api'
import { createLruCache } from '../lib/cache.ts'
import { Refusal } from '../lib/refusal.ts'
import { findRepoInternals } from '../store/repos.ts'
import { required, type CiContext } from './context.ts'
import type { FairSemaphore } from './fair-semaphore.ts'

/** Maximum size of all cached comparisons. */
const maxBytes = 16 * 1024 * 1024

const commitNotFound = () => new Refusal(404, 'Commit not found')

/** `from` and `to`: shas or refs. Throws a 404 if the repository has no such commit. */
export const createComparer = (ci: CiContext, gate: FairSemaphore) => {
  const cache = createLruCache<Comparison>({ maxSize: maxBytes })

  async function compare(path: string, from: string, to: string, signal?: AbortSignal): Promise<Comparison> {
    if (from === to) return { from, to, commits: [], files: [], total: 0 }
    const found = await ci.git.sources.between(path, from, to, signal)
    const changed = await ci.git.sources.differentFiles(path, from, to, signal)
    if (!found || !changed) throw commitNotFound()
    return {
      from,
      to,
      ...(found.commits && { commits: found.commits }),
      ...(found.more && { more: true as const }),
      ...(found.without && { without: found.without }),
      files: [...changed.files],
      ...(changed.total !== undefined && { total: changed.total }),
    }
  }

  return async (repo: Repo, given: { from: string; to: string }, signal?: AbortSignal): Promise<Comparison> => {
    const { path } = required(await findRepoInternals(ci.db, repo.id))
    const work = async (): Promise<Comparison> => {
      const [from, to] = [await ci.git.resolve(path, given.from), await ci.git.resolve(path, given.to)]
      if (from === null || to === null) throw commitNotFound()
      const key = `${repo.id} ${from} ${to}`
      const cached = cache.get(key)
      if (cached) return cached
      const answer = await compare(path, from, to, signal)
      // Incomplete results are not cached. Copied: a substring of git's output keeps the whole
      // output in memory.
      if (answer.commits && answer.total !== undefined) cache.set(key, structuredClone(answer))
      return answer
    }
    return gate.run(work)
  }
}
