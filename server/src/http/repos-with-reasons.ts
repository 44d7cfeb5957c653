import type { Build, Repo } from '@flightdeck/api'
import type { Ci } from '../interfaces/ci.ts'

/** Repositories that carry a build, each build with why it waits. */
export async function reposWithReasons<T extends Repo>(ci: Pick<Ci, 'withReasons'>, repos: readonly T[]): Promise<T[]> {
  const builds = repos.map(({ build }) => build).filter((build): build is Build => build !== undefined)
  const explained = new Map((await ci.withReasons(builds)).map((build) => [build.id, build]))
  return repos.map((repo) => (repo.build ? { ...repo, build: explained.get(repo.build.id) ?? repo.build } : repo))
}
