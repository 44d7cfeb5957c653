import type { Build, Repo } from '@flightdeck/api'
import type { Db } from '../../store/open.ts'
import { findPermissions } from '../../store/permissions.ts'
import { findRepo } from '../../store/repos.ts'
import { findUser } from '../../store/users.ts'
import { seesInternal } from '../../store/visibility.ts'

/**
 * Whether a build may fetch from this repository: from its own, and, for submodules, from others
 * that the user who enabled the repository can read (Drone clones with that user's credentials,
 * too). Private repositories only count within the same namespace, and never for pull requests from
 * forks, whose commits are untrusted.
 */
export async function mayFetch(
  db: Db,
  build: Pick<Build, 'repo_id' | 'event' | 'source_repo'>,
  repo: Repo,
): Promise<boolean> {
  if (repo.id === build.repo_id) return true
  if (repo.visibility === 'public') return true
  if (build.event === 'pull_request' && build.source_repo !== '') return false
  const builtRepo = await findRepo(db, build.repo_id)
  if (repo.visibility === 'internal' && builtRepo && seesInternal(await findUser(db, builtRepo.user_id))) return true
  if (builtRepo?.namespace !== repo.namespace) return false
  return (await findPermissions(db, builtRepo.user_id, repo.id))?.read ?? false
}
