import type { Build, Stage, Step } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { listForerunners, updateBuild } from '../store/builds.ts'
import { updateStage } from '../store/stages.ts'
import { updateStep } from '../store/steps.ts'
import type { Db } from '../store/open.ts'
import { changeBuild, loadBuild, type CiContext } from './context.ts'
import type { LogClosers } from './log-closers.ts'

/** What had begun is killed, the rest skipped (docs/api §5.6). */
const ended = <T extends Stage | Step>(thing: T, now: number): T => ({
  ...thing,
  status: thing.started ? 'killed' : 'skipped',
  started: thing.started || now,
  stopped: now,
})

/** Answers the ids of the steps whose live logs must end. */
const endStages = async (tx: Db, stages: readonly Stage[], now: number): Promise<number[]> => {
  const live: number[] = []
  for (const stage of stages) {
    for (const step of stage.steps ?? []) {
      if (isDone(step.status)) continue
      await updateStep(tx, { ...ended(step, now), exit_code: 130 })
      live.push(step.id)
    }
    if (!isDone(stage.status)) await updateStage(tx, { ...ended(stage, now), updated: now })
  }
  return live
}

/**
 * Ends a build: `killed` when somebody cancels it (`by`) or its time is over, `skipped` when a newer one takes its place. A
 * finished build stays untouched, save for leftover stages (docs/api §5.6).
 */
export const cancelBuild = async (
  ci: CiContext,
  closers: LogClosers,
  buildId: number,
  { status, by = '' }: { status: 'killed' | 'skipped'; by?: string } = { status: 'killed' },
): Promise<Build> => {
  const live = await changeBuild(ci, buildId, async (tx) => {
    const now = ci.now()
    const { build, stages } = await loadBuild(tx, buildId)
    if (!isDone(build.status)) {
      // Without a name it was the server, since its time was over; what gives way to a newer one is not cancelled.
      const cancel = status === 'killed' ? { canceled: now, ...(by && { canceled_by: by }) } : {}
      await updateBuild(tx, { ...build, ...cancel, status, started: build.started || now, finished: now })
    }
    return endStages(tx, stages, now)
  })
  ci.watchers.release(buildId)
  for (const stepId of live) closers.closeSoon(stepId)
  return (await loadBuild(ci.db, buildId)).build
}

/** After a new build: older ones of the same repository, event and ref give way if the repository says so. */
export const autoCancel = async (
  ci: CiContext,
  closers: LogClosers,
  repo: { auto_cancel_pushes: boolean; auto_cancel_pull_requests: boolean; auto_cancel_running: boolean },
  build: Build,
): Promise<void> => {
  const wanted =
    (build.event === 'push' && repo.auto_cancel_pushes) ||
    (build.event === 'pull_request' && repo.auto_cancel_pull_requests)
  if (!wanted) return
  for (const other of await listForerunners(ci.db, build, { running: repo.auto_cancel_running })) {
    await cancelBuild(ci, closers, other, { status: 'skipped' })
  }
}
