import type { Build } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { findBuild, listSupersededBuilds, updateBuild } from '../store/builds.ts'
import { endOpenStages, endOpenSteps } from '../store/early-ends.ts'
import { changeBuild, loadBuild, required, type CiContext } from './context.ts'
import type { RightsCheck } from '../interfaces/hook.ts'
import type { LogClosers } from './delayed-log-close.ts'

/** As a shell says it of what was interrupted. */
const exitCode = 130

/**
 * Ends a build: `killed` when a user cancels it (`by`) or its time limit is reached, `skipped` when
 * a newer build supersedes it. A finished build is unchanged, except for unfinished stages
 * (docs/api §5.6).
 */
export const cancelBuild = async (
  ci: CiContext,
  closers: LogClosers,
  buildId: number,
  { status, by = '', stillMay }: { status: 'killed' | 'skipped'; by?: string; stillMay?: RightsCheck | undefined } = {
    status: 'killed',
  },
): Promise<Build> => {
  const live = await changeBuild(
    ci,
    buildId,
    async (tx, ended) => {
      const now = ci.clocks.now(buildId)
      const build = required(await findBuild(tx, buildId))
      if (!isDone(build.status)) {
        // Without a login, the server ended it because its time limit was reached; a superseded
        // build is not canceled by a user.
        const cancel = status === 'killed' ? { canceled: now, ...(by && { canceled_by: by }) } : {}
        await updateBuild(tx, { ...build, ...cancel, status, started: build.started || now, finished: now })
      }
      await endOpenStages(tx, buildId, now)
      return ended
    },
    // A build may have tens of thousands of steps. If the server dies before the stages are ended,
    // too, its next start ends them.
    {
      async first() {
        await stillMay?.(ci.db)
        return endOpenSteps(ci.db, { buildId, now: ci.clocks.now(buildId) }, { status: 'killed', exitCode })
      },
    },
  )
  ci.watchers.release(buildId)
  ci.clocks.end(buildId)
  for (const stepId of live) closers.closeSoon(stepId)
  return (await loadBuild(ci.db, buildId)).build
}

/**
 * After a new build: cancels older ones of the same repository, event and ref, if the repository's
 * settings say so.
 */
export const autoCancel = async (
  ci: CiContext,
  closers: LogClosers,
  repo: { auto_cancel_pushes: boolean; auto_cancel_pull_requests: boolean; auto_cancel_running: boolean },
  build: Build,
): Promise<void> => {
  const isEnabled =
    (build.event === 'push' && repo.auto_cancel_pushes) ||
    (build.event === 'pull_request' && repo.auto_cancel_pull_requests)
  if (!isEnabled) return
  for (const other of await listSupersededBuilds(ci.db, build, { running: repo.auto_cancel_running })) {
    await cancelBuild(ci, closers, other, { status: 'skipped' })
  }
}
