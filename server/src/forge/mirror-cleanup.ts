/** Removes mirrors that are not needed any more. */
import { findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { findRepo } from '../store/repos.ts'
import type { ForgeContext } from './context.ts'

/**
 * A repository that was disabled may be activated again without a new copy for so long; in seconds.
 */
const disabledSeconds = 30 * 24 * 3600

/**
 * Removes the mirrors of repositories that were deleted, and of those that have been disabled for
 * 30 days.
 */
export async function removeUnusedMirrors({
  db,
  mirrors,
  now,
  log,
  stopped,
}: Pick<ForgeContext, 'db' | 'mirrors' | 'now' | 'log' | 'stopped'>): Promise<void> {
  for (const repoId of await mirrors.list()) {
    if (stopped.aborted) return
    const repo = await findRepo(db, repoId)
    if (repo?.active) continue
    const fetched = (await findForgeRepoState(db, repoId))?.mirrorFetched ?? 0
    // 0: it is being copied for the first time.
    if (repo && (fetched === 0 || fetched > now() - disabledSeconds)) continue
    await mirrors.remove(repoId)
    if (repo) await setForgeRepoState(db, repoId, { mirrorFetched: 0, mirrorBytes: 0, mirrorError: '' })
    log(`the mirror of ${repo?.slug ?? `repository ${repoId}, which no longer exists,`} was removed`)
  }
}
