import type { Stage, Step } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { findBuild, updateBuild } from '../store/builds.ts'
import type { Db } from '../store/open.ts'
import { findBuildOfStage, findStage, updateStage } from '../store/stages.ts'
import { createSteps, listSteps, updateSteps } from '../store/steps.ts'
import { changeBuild, required, type CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'
import { advanceBuild } from './advance-build.ts'
import { checkSteps } from './step-limits.ts'
import { checkStatus, cutError, reported, syncLog } from './step-report.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { OptimisticLockError } from '../lib/refusal.ts'

/** The columns that a runner may change (docs/api §7.3); names, numbers, limits stay. */
const merge = (current: Stage, report: Stage, now: number): Stage => ({
  ...current,
  status: report.status,
  error: cutError(report.error),
  errignore: report.errignore,
  exit_code: report.exit_code,
  machine: report.machine || current.machine,
  os: report.os || current.os,
  arch: report.arch || current.arch,
  variant: report.variant ?? current.variant,
  kernel: report.kernel ?? current.kernel,
  started: report.started || current.started || (report.status === 'pending' ? 0 : now),
  stopped: report.stopped || (isDone(report.status) ? now : 0),
  updated: now,
  on_success: report.on_success,
  on_failure: report.on_failure,
  depends_on: report.depends_on ?? current.depends_on,
  labels: report.labels ?? current.labels,
})

const lockedStage = async (tx: Db, report: Stage): Promise<Stage> => {
  const current = required(await findStage(tx, report.id))
  if (current.version !== report.version || isDone(current.status)) throw new OptimisticLockError()
  return current
}

const newSteps = (stageId: number, steps: readonly Step[]) =>
  steps.map((step) => ({ ...step, step_id: stageId, error: cutError(step.error) }))

/** Returns all steps of the stage. A runner that reports the start again keeps its steps. */
const addSteps = async (tx: Db, stageId: number, steps: readonly Step[]): Promise<Step[]> => {
  const numbers = new Set((await listSteps(tx, stageId)).map((step) => step.number))
  await createSteps(
    tx,
    newSteps(
      stageId,
      steps.filter((step) => !numbers.has(step.number)),
    ),
  )
  await checkSteps(tx, stageId)
  return listSteps(tx, stageId)
}

/** Steps exist from here on (docs/api §5.4); the build runs from its first stage's start on. */
const start = async (ci: CiContext, tx: Db, report: Stage): Promise<Stage> => {
  const now = ci.now()
  const stage = await updateStage(tx, merge(await lockedStage(tx, report), report, now))
  const steps = report.steps?.length ? await addSteps(tx, stage.id, report.steps) : []
  const build = required(await findBuild(tx, stage.build_id))
  if (build.status === 'pending' && report.status === 'running') {
    await updateBuild(tx, { ...build, status: 'running', started: now, updated: now })
    ci.clocks.begin(build.id)
  }
  return steps.length > 0 ? { ...stage, steps } : stage
}

/** A step that its runner left unfinished although the stage is over. */
const abandoned = (step: Step, stage: Stage, now: number): Step =>
  step.started
    ? { ...step, status: stage.status === 'error' ? 'error' : 'killed', exit_code: 137, stopped: now }
    : { ...step, status: 'skipped', started: now, stopped: now }

/** Returns the steps that ended with this report: their logs must be closed, too. */
const finishSteps = async (tx: Db, report: Stage, now: number): Promise<{ steps: Step[]; ended: number[] }> => {
  const existing = await listSteps(tx, report.id)
  const reportedById = new Map(report.steps?.map((step) => [step.id, step]))
  const reportedByNumber = new Map(report.steps?.map((step) => [step.number, step]))
  const ids = new Set(existing.map((step) => step.id))
  const numbers = new Set(existing.map((step) => step.number))
  const changed: Step[] = []
  for (const step of existing) {
    // A stage can have thousands of steps.
    await yieldToEventLoop()
    if (isDone(step.status)) continue
    const reportedStep = reportedById.get(step.id) ?? reportedByNumber.get(step.number)
    changed.push(
      reportedStep && isDone(reportedStep.status) ? reported(step, reportedStep, now) : abandoned(step, report, now),
    )
  }
  await updateSteps(tx, changed)
  const unknown = (report.steps ?? []).filter((step) => !ids.has(step.id) && !numbers.has(step.number))
  await createSteps(tx, newSteps(report.id, unknown))
  if (report.steps?.length) await checkSteps(tx, report.id)
  return { steps: await listSteps(tx, report.id), ended: changed.map((step) => step.id) }
}

/** PUT stage (docs/api §7.3): pending or running = start, anything else = finish. */
export const reportStage = async (ci: CiContext, closers: LogClosers, report: Stage): Promise<Stage> => {
  for (const { status } of [report, ...(report.steps ?? [])]) checkStatus(status)
  const buildId = required(await findBuildOfStage(ci.db, report.id))
  ci.queue.release(report.id)
  if (!isDone(report.status)) return changeBuild(ci, buildId, (tx) => start(ci, tx, report))
  for (const step of await listSteps(ci.db, report.id)) {
    if (!isDone(step.status)) await syncLog(ci, step.id)
    await yieldToEventLoop()
  }
  try {
    const { result, over } = await changeBuild(
      ci,
      buildId,
      async (tx) => {
        const now = ci.clocks.now(buildId)
        const stage = await updateStage(tx, merge(await lockedStage(tx, report), report, now))
        const { steps, ended } = await finishSteps(tx, report, now)
        const isOver = await advanceBuild(tx, buildId, now, { needs: stage.name })
        return { result: steps.length > 0 ? { ...stage, steps } : stage, over: isOver, ended }
      },
      {
        async before({ ended }) {
          for (const stepId of ended) {
            await closers.close(stepId)
            await yieldToEventLoop()
          }
        },
      },
    )
    if (over) {
      ci.watchers.release(buildId)
      ci.clocks.end(buildId)
    }
    return result
  } catch (error) {
    // Canceled meanwhile: the runner sends nothing more about any step.
    if (error instanceof OptimisticLockError) {
      for (const step of await listSteps(ci.db, report.id)) if (isDone(step.status)) await closers.close(step.id)
    }
    throw error
  }
}
