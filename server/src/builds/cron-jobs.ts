/** Cron jobs of repositories: changing them, running one now, and the clock that fires them. */
import type { Ci } from '../interfaces/ci.ts'
import { askedBy } from '../interfaces/hook.ts'
import { checkCount, limits } from '../lib/limits.ts'
import { countCron, createCron, findCron } from '../store/cron.ts'
import { inTransaction } from '../store/open.ts'
import { findRepo } from '../store/repos.ts'
import { isPassing } from '../store/writes.ts'
import type { Trigger } from './build-starts.ts'
import { required, type CiContext } from './context.ts'
import { changeCron, checkCron, nextTimes, startCronClock, startCronJob, type CronClock } from './cron.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { cronHook } from './hooks.ts'

export interface CronJobs extends Pick<Ci, 'runCron' | 'createCron' | 'changeCron' | 'cronTimes' | 'timeZone'> {
  startClock: () => CronClock
}

interface CronJobsParts {
  ci: CiContext
  timeZone: string
  trigger: Trigger
  /** Reads git for manual builds. */
  starts: FairSemaphore
}

export const createCronJobs = ({ ci, timeZone, trigger, starts }: CronJobsParts): CronJobs => {
  const { db, now, writes } = ci
  return {
    timeZone,
    async runCron(repo, name, by, stillMay) {
      const job = required(await findCron(db, repo.id, name))
      const start = async () => trigger(repo.id, await cronHook(ci, repo, job, by), askedBy(stillMay))
      return starts.run(() => startCronJob({ db, now }, job, start), repo.id)
    },
    createCron(repo, input) {
      const job = checkCron(input, { now: now(), timeZone })
      return inTransaction(db, async (tx) => {
        checkCount(await countCron(tx, repo.id), limits.cronJobs, { what: 'cron jobs', of: 'repository' })
        return createCron(tx, { repo_id: repo.id, ...job })
      })
    },
    changeCron: (before, changes) => changeCron(db, { before, changes }, { now: now(), timeZone }),
    cronTimes: (expr) => ({ times: nextTimes(expr, { now: now(), timeZone }), zone: timeZone }),
    startClock: () =>
      startCronClock({
        db,
        now,
        timeZone,
        async fire(job) {
          const repo = required(await findRepo(db, job.repo_id))
          const start = () =>
            startCronJob({ db, now }, job, async () => trigger(repo.id, await cronHook(ci, repo, job)))
          await start().catch((error: unknown) => {
            if (!isPassing(error)) throw error
            writes.later(`the build of the cron job ${job.name}`, start)
          })
        },
      }),
  }
}
