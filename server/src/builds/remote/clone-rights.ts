import type { Build, Repo } from '@flightdeck/api'
import type { Db } from '../../store/open.ts'
import { findPermissions } from '../../store/permissions.ts'
import { findRepo } from '../../store/repos.ts'

/**
 * Whether a build may fetch from this repository: from its own, and, for submodules and the like, from others that whoever has
 * enabled its own may read, as with Drone, whose credentials are that person's. Of closed repositories only those of the same
 * namespace count, and none for a pull request from elsewhere: strangers write its commits.
 */
export async function mayFetch(
  db: Db,
  build: Pick<Build, 'repo_id' | 'event' | 'source_repo'>,
  repo: Repo,
): Promise<boolean> {
  if (repo.id === build.repo_id) return true
  if (repo.visibility === 'public') return true
  if (build.event === 'pull_request' && build.source_repo !== '') return false
  if (repo.visibility === 'internal') return true
  const own = await findRepo(db, build.repo_id)
  if (own?.namespace !== repo.namespace) return false
  return (await findPermissions(db, own.user_id, repo.id))?.read ?? false
}
