/** Ends stuck builds: their runner disappeared, or no runner ever took them (docs/api §5.6). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Build } from '@flightdeck/api'
import { listUnfinishedBuilds } from '../store/builds.ts'
import { findActivity } from '../store/early-ends.ts'
import { findRepo } from '../store/repos.ts'
import { cancelBuild } from './cancel.ts'
import type { CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'
import { createBackgroundTask } from '../lib/background-task.ts'
import { logError } from '../lib/log.ts'

/** Minutes, where a repository has none. */
const defaultTimeout = 60
const graceSeconds = 30 * 60
const pendingSeconds = 24 * 3600 + graceSeconds

/**
 * When an unfinished build times out. A running build has the repository's time limit from its
 * start. A build that only waits for a runner has one day from its last activity: a queue can be
 * long, and a stage of a type without a runner waits while others run.
 */
const endOf = async (ci: CiContext, build: Build): Promise<number> => {
  const { atWork, last } = await findActivity(ci.db, build.id)
  if (atWork === null) return Math.max(build.started, last) + pendingSeconds
  const timeout = ((await findRepo(ci.db, build.repo_id))?.timeout || defaultTimeout) * 60
  return atWork + timeout + graceSeconds
}

const deadline = async (ci: CiContext, build: Build): Promise<number> =>
  build.status === 'pending' ? build.created + pendingSeconds : endOf(ci, build)

export const reapBuilds = async (ci: CiContext, closers: LogClosers, stopping?: AbortSignal): Promise<void> => {
  const now = ci.now()
  for (const build of await listUnfinishedBuilds(ci.db)) {
    if (stopping?.aborted) return
    // The earlier of the two: a clock that is set forward ends no build.
    if ((await deadline(ci, build)) >= Math.min(now, ci.clocks.now(build.id))) continue
    await cancelBuild(ci, closers, build.id)
    // There can be thousands, and SQLite queries never yield to the event loop.
    await nextTurn()
  }
}

/** `stop` resolves when the current check has ended. */
export const startReaper = (ci: CiContext, closers: LogClosers, everyMs = 5 * 60_000): { stop(): Promise<void> } => {
  const check = createBackgroundTask({
    run: (stopping) => reapBuilds(ci, closers, stopping),
    onError: (error) => logError('Builds past their timeout could not be canceled', error),
  })
  const timer = setInterval(() => void check.start(), everyMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return check.stop()
    },
  }
}
