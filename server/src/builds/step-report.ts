import type { Step } from '@flightdeck/api'
import { isDone, reportedStatuses } from '@flightdeck/api'
import { isUploaded } from '../store/remote-stages.ts'
import { findBuildOfStage } from '../store/stages.ts'
import { findStep, updateStep } from '../store/steps.ts'
import { changeBuild, required, type CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'
import { checkSteps } from './step-limits.ts'
import { logError } from '../lib/log.ts'
import { Refusal, OptimisticLockError } from '../lib/refusal.ts'
import { isPassing } from '../store/writes.ts'

/** Runners are untrusted, and the statuses that they report are shown and decide what runs next. */
export const checkStatus = (status: string): void => {
  if (!reportedStatuses.some((known) => known === status))
    throw new Refusal(400, `Invalid status "${status.slice(0, 50)}"`)
}

/** Truncates long texts (docs/api §1.5, §1.6): a runner may report a whole stack trace. */
export const cutError = (error: string | undefined): string | undefined => {
  if (error === undefined || Buffer.byteLength(error) <= 500) return error
  // Drops a character that was cut in two.
  return new TextDecoder('utf-8', { fatal: false }).decode(Buffer.from(error).subarray(0, 500)).replace(/\uFFFD$/, '')
}

/** The fields that a runner can report for a step; number and stage are unchanged. */
export const reported = (current: Step, report: Step, now: number): Step => {
  const running = report.status === 'running'
  return {
    ...current,
    name: report.name || current.name,
    status: report.status,
    error: cutError(report.error),
    errignore: report.errignore ?? current.errignore,
    exit_code: report.exit_code,
    started: report.started || current.started || (running ? now : 0),
    stopped: report.stopped || (isDone(report.status) ? now : 0),
    depends_on: report.depends_on ?? current.depends_on,
    image: report.image ?? current.image,
    detached: report.detached ?? current.detached,
    schema: report.schema ?? current.schema,
  }
}

const lengthOf = (names: readonly string[] = []): number => names.join().length

/** Removes a log that was opened for a step that has ended meanwhile. */
const removeIfOver = async (ci: CiContext, stepId: number): Promise<void> => {
  const step = await findStep(ci.db, stepId)
  if (!step || isDone(step.status)) await ci.logs.remove(stepId)
}

/**
 * Syncs the log to disk before the step is stored as ended, so that it survives a power failure.
 * Errors do not keep the step from ending.
 */
export const syncLog = (ci: CiContext, stepId: number): Promise<void> =>
  ci.logs.sync(stepId).catch((error: unknown) => {
    if (!isPassing(error)) logError(`The log of step ${stepId} could not be synced`, error)
  })

/**
 * PUT step (docs/api §7.3): pending or running = start, which opens the live log; anything else
 * closes it.
 */
export const reportStep = async (ci: CiContext, closers: LogClosers, report: Step): Promise<Step> => {
  checkStatus(report.status)
  const found = required(await findStep(ci.db, report.id))
  const buildId = required(await findBuildOfStage(ci.db, found.step_id))
  const ends = isDone(report.status)
  // Before the status is stored: a running step needs a log to write to.
  const starts = report.status === 'running' && found.version === report.version && !isDone(found.status)
  // A runner may send the complete log first; then it is no longer live.
  if (ends) await syncLog(ci, report.id)
  const begins = starts && !(await isUploaded(ci.db, report.id))
  if (begins) await ci.logs.open(report.id)
  try {
    return await changeBuild(
      ci,
      buildId,
      async (tx) => {
        const current = required(await findStep(tx, report.id))
        if (current.version !== report.version || isDone(current.status)) throw new OptimisticLockError()
        const step = await updateStep(tx, reported(current, report, ci.now()))
        if (lengthOf(step.depends_on) > lengthOf(current.depends_on)) await checkSteps(tx, step.step_id)
        return step
      },
      {
        stepsOnly: true,
        mayBeLost: !ends,
        // Before the change is published: a subscriber that then requests the saved log gets it.
        async before() {
          if (ends) await closers.close(report.id)
        },
      },
    )
  } catch (error) {
    if (begins && !isPassing(error)) await removeIfOver(ci, report.id)
    // The build was canceled meanwhile: the report is ignored, but this log gets no more lines.
    if (ends && error instanceof OptimisticLockError) await closers.close(report.id)
    throw error
  }
}
