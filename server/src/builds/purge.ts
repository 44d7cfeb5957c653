/** Removing builds with all that belongs to them (docs/api §2.4 "purge"). */
import type { Repo, User } from '@flightdeck/api'
import { listUnfinishedBefore, purgeBuilds } from '../store/builds.ts'
import { cancelBuild } from './cancel.ts'
import type { CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'

/**
 * Deletes the builds with a lower number. A running build is canceled first, so that nothing writes
 * to deleted rows.
 */
export async function purge(
  ci: CiContext,
  closers: LogClosers,
  { repo, before, by }: { repo: Repo; before: number; by: User },
): Promise<void> {
  const { db, logs } = ci
  for (const id of await listUnfinishedBefore(db, repo.id, before)) {
    await cancelBuild(ci, closers, id, { status: 'killed', by: by.login })
  }
  await purgeBuilds(db, repo.id, before, async (steps) => {
    for (const step of steps) await logs.remove(step)
  })
}
