/** Ends builds that nobody ends: the runner that should is gone, or none ever came (wire.md §5.6). */
import { listUnfinishedBuilds } from '../store/builds.ts'
import { findRepo } from '../store/repos.ts'
import { cancelBuild } from './cancel.ts'
import { loadBuild, type CiContext } from './context.ts'
import type { LogClosers } from './log-closers.ts'

/** Minutes, where a repository has none. */
const defaultTimeout = 60
const graceSeconds = 30 * 60
const pendingSeconds = 24 * 3600 + graceSeconds

export const reapBuilds = async (ci: CiContext, closers: LogClosers): Promise<void> => {
  const now = ci.now()
  for (const build of await listUnfinishedBuilds(ci.db)) {
    if (build.status === 'pending') {
      if (build.created + pendingSeconds < now) await cancelBuild(ci, closers, build.id)
      continue
    }
    const running = (await loadBuild(ci.db, build.id)).stages.filter((stage) => stage.status === 'running')
    const newest = Math.max(0, ...running.map((stage) => stage.started))
    const timeout = ((await findRepo(ci.db, build.repo_id))?.timeout || defaultTimeout) * 60
    if (newest > 0 && newest + timeout + graceSeconds < now) await cancelBuild(ci, closers, build.id)
  }
}

export const startReaper = (ci: CiContext, closers: LogClosers, everyMs = 5 * 60_000): { stop(): void } => {
  const timer = setInterval(() => {
    reapBuilds(ci, closers).catch((error: unknown) => console.error('Old builds could not be ended:', error))
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
