/** Removing builds with all that belongs to them (docs/api §2.4 "purge"). */
import type { Repo, User } from '@flightdeck/api'
import { listPurgeableStepIds, listUnfinishedBuilds, purgeBuilds } from '../store/builds.ts'
import type { HttpDependencies } from './context.ts'

/** The builds with a lower number. One that still runs is ended first, so that nobody writes to what is gone. */
export async function purge(
  { store: { db }, ci }: Pick<HttpDependencies, 'store' | 'ci'>,
  repo: Repo,
  before: number,
  by: User,
): Promise<void> {
  for (const build of await listUnfinishedBuilds(db)) {
    if (build.repo_id === repo.id && build.number < before) await ci.cancel(repo, build.number, by)
  }
  const steps = await listPurgeableStepIds(db, repo.id, before)
  await purgeBuilds(db, repo.id, before)
  for (const id of steps) await ci.logs.remove(id)
}
