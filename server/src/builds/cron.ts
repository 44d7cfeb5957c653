/** Cron jobs: their validation, and the clock that starts their builds (docs/api §2.5, §5.8). */
import { texts, trimEndChars, type Build, type Cron, type CronInput } from '@flightdeck/api'
import { findCron, findWaitingCronBuild, listDueCron, listFutureCron, noteCron, updateCron } from '../store/cron.ts'
import type { Db } from '../store/open.ts'
import { findRepo } from '../store/repos.ts'
import { isBranchOrTag } from '../pipeline/ref-names.ts'
import { limits } from '../lib/limits.ts'
import { explainExpression, minIntervalSeconds, parseCronExpression, type CronExpression } from './cron-expression.ts'
import { explainInvalid } from './cron-reasons.ts'
import { Refusal } from '../lib/refusal.ts'
import { isPassing } from '../store/writes.ts'
import { createBackgroundTask } from '../lib/background-task.ts'
import { publicMessage } from '../lib/public-text.ts'
import { logError } from '../lib/log.ts'

/** Converts a name to lower-case letters, digits and dashes, as Drone does. */
export const slugify = (text: string): string => {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
  return trimEndChars(slug.replace(/^[-_]+/, ''), '-_')
}

/** Refuses invalid names with the text of docs/api §2.5. */
const checkExpression = (expr: string, timeZone: string): CronExpression => {
  const expression = parseCronExpression(expr, timeZone)
  const reason = explainExpression(expr) ?? (expression ? null : explainInvalid(expr))
  if (expression && reason === null) return expression
  throw new Refusal(400, `Invalid Cronjob Expression${reason === null ? '' : `: ${reason}`}`)
}

const timesShown = 5

/** The next times of an expression, in unix seconds; fewer than five if it does not recur. */
export const nextTimes = (expr: string, { now, timeZone }: { now: number; timeZone: string }): number[] => {
  const expression = checkExpression(expr, timeZone)
  const times: number[] = []
  for (let time = expression.next(now); time > 0 && times.length < timesShown; time = expression.next(time))
    times.push(time)
  return times
}

/** Validates the job and returns it as stored; refuses with the texts of docs/api §2.5. */
export const checkCron = (
  input: CronInput,
  options: { now: number; timeZone: string },
): { name: string; expr: string; branch: string; next: number } => {
  const expression = checkExpression(input.expr, options.timeZone)
  const name = slugify(input.name)
  if (name === '') throw new Refusal(400, 'Invalid Cronjob Name')
  if (input.branch.trim() === '' || !isBranchOrTag(input.branch)) throw new Refusal(400, 'Invalid Cronjob Branch')
  return { name, expr: input.expr, branch: input.branch, next: expression.next(options.now) }
}

const isBranch = (branch: string): boolean =>
  branch !== '' && branch.length <= 250 && !/[\p{Cc}\s]/u.test(branch) && isBranchOrTag(branch)

/** Does not catch up on runs missed while the job was disabled. */
export const changeCron = (
  db: Db,
  { before, changes }: { before: Cron; changes: Partial<Cron> },
  options: { now: number; timeZone: string },
): Promise<Cron> => {
  if (changes.branch !== undefined && !isBranch(changes.branch)) throw new Refusal(400, 'Invalid Cronjob Branch')
  const job = { ...before, ...changes }
  if (changes.expr !== undefined && changes.expr !== before.expr) {
    return updateCron(db, { ...job, next: checkExpression(changes.expr, options.timeZone).next(options.now) })
  }
  if (!before.disabled || job.disabled) return updateCron(db, job)
  const next = parseCronExpression(job.expr, options.timeZone)?.next(options.now) ?? 0
  if (next === 0) throw new Refusal(400, 'Invalid Cronjob Expression')
  return updateCron(db, { ...job, next })
}

/** At server start, since the time zone may have changed. Missed jobs stay due. */
export const rescheduleCron = async (db: Db, now: number, timeZone: string): Promise<void> => {
  for (const job of await listFutureCron(db, now)) {
    // An interval counts from its last run.
    if (job.expr.trim().startsWith('@every')) continue
    const next = parseCronExpression(job.expr, timeZone)?.next(now) ?? 0
    if (next > 0 && next !== job.next) await updateCron(db, { ...job, next })
  }
}

/** Characters. */
const maxReasonLength = 250

/** The error stored with the job, if its owner has to act. */
const reasonOf = (job: Cron, error: unknown): string => {
  if (error instanceof Refusal && error.message === texts.notFound) return `Branch ${job.branch} does not exist`
  if (error instanceof Refusal && error.message === texts.noRows) return 'The repository has no owner'
  const text = publicMessage(error)
  return (text.split('\n')[0] ?? '').slice(0, maxReasonLength)
}
const nothingToRun = ({ branch }: Cron): string =>
  `Nothing to run: no pipeline in the file matches cron builds on ${branch}`

/** Starts the job's build and stores in its row whether that succeeded. */
export const startCronJob = async (
  { db, now }: Pick<ClockOptions, 'db' | 'now'>,
  job: Cron,
  start: () => Promise<Build | null>,
): Promise<Build | null> => {
  // A failure to store the error does not change the outcome.
  const note = (error?: string) =>
    noteCron(db, job.id, error === undefined ? undefined : { at: now(), error }).catch(() => undefined)
  try {
    const build = await start()
    await note(build ? undefined : nothingToRun(job))
    return build
  } catch (error) {
    if (!isPassing(error)) await note(reasonOf(job, error))
    throw error
  }
}

export interface CronClock {
  /** Resolves when the build of the job that is being started exists. */
  stop(): Promise<void>
}

interface ClockOptions {
  db: Db
  now: () => number
  timeZone: string
  fire: (job: Cron) => Promise<unknown>
  /** Earlier starts, kept between checks. */
  starts?: Starts
}

/** Maximum jobs started per check; the others stay due. */
const maxDue = 100
/** Maximum builds per minute that the jobs of one repository start. */
const maxStarts = limits.cronJobs

/** Counts the cron builds of each repository within the last minute. */
export interface Starts {
  /** Whether one more may start at `time` (unix seconds); counts it then. */
  take(repoId: number, time: number): boolean
}

export const createStarts = (): Starts => {
  const times = new Map<number, number[]>()
  return {
    take(repoId, time) {
      // Ignores starts in the future: the clock was set back.
      const recent = (times.get(repoId) ?? []).filter((other) => other > time - minIntervalSeconds && other <= time)
      if (recent.length < maxStarts) times.set(repoId, [...recent, time])
      return recent.length < maxStarts
    },
  }
}

/**
 * A job starts no further build while its last one waits for a runner or for approval, so that
 * waiting builds cannot pile up.
 */
const reasonToWait = async (db: Db, job: Cron, starts: Starts, time: number): Promise<string | null> => {
  const waiting = await findWaitingCronBuild(db, job.repo_id, job.name)
  if (waiting !== null) return `Not started: its last build, #${waiting}, is still waiting`
  if (starts.take(job.repo_id, time)) return null
  return `Not started: the jobs of this repository have started ${maxStarts} builds within a minute`
}

/**
 * One check: starts the jobs that are due. A job that was missed while the server was down runs
 * once. Jobs that are left when `stopping` is aborted stay due.
 */
export const fireDue = async (
  { db, now, timeZone, fire, starts = createStarts() }: ClockOptions,
  stopping?: AbortSignal,
): Promise<void> => {
  const time = now()
  for (const due of await listDueCron(db, time, maxDue)) {
    if (stopping?.aborted) return
    // Reads the job again: it may have been changed, disabled or deleted while earlier jobs
    // started.
    const job = await findCron(db, due.repo_id, due.name)
    if (!(await findRepo(db, due.repo_id))?.active) continue
    if (job?.id !== due.id || job.disabled || job.next > time) continue
    const next = parseCronExpression(job.expr, timeZone)?.next(time) ?? 0
    // Stores the next time first, even if this run fails; a job without a next time is disabled.
    const disabled = job.disabled || next === 0
    const waitReason = await reasonToWait(db, job, starts, time)
    if (waitReason) {
      await updateCron(db, { ...job, next, disabled })
      await noteCron(db, job.id, { at: time, error: waitReason })
      continue
    }
    await updateCron(db, { ...job, prev: time, next, disabled })
    try {
      await fire(job)
    } catch (error) {
      logError(`Cron job ${job.name} could not start a build`, error instanceof Error ? error.message : error)
    }
  }
}

/** Checks at every whole second: jobs can change at any time, and a check costs next to nothing. */
export const startCronClock = (given: ClockOptions): CronClock => {
  const options = { starts: createStarts(), ...given }
  const check = createBackgroundTask({
    run: (stopping) => fireDue(options, stopping),
    onError: (error) => logError('The cron jobs could not be read', error),
  })
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const wait = (): void => {
    if (isStopped) return
    timer = setTimeout(() => void check.start().then(wait), 1000 - (Date.now() % 1000))
    timer.unref()
  }
  wait()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return check.stop()
    },
  }
}
