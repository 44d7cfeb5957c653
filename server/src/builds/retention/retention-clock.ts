/** Runs retention each night. */
import type { Db } from '../../store/open.ts'
import { findSetting, saveSetting } from '../../store/settings.ts'
import { parseCronExpression } from '../cron-expression.ts'
import { logError } from '../../lib/log.ts'

/** Three in the morning, with seconds first. */
const nightly = '0 0 3 * * *'
const ranSetting = 'retention_ran'
const checkMs = 60_000
/** If the last run is further in the future, the clock was wrong when it was stored. */
const maxAheadSeconds = 24 * 3600

export interface RetentionClockOptions {
  db: Db
  now: () => number
  timeZone: string
  run: (signal: AbortSignal) => Promise<void>
  everyMs?: number
}

export interface RetentionClock {
  /** Unix seconds of the next run. */
  next(): Promise<number>
  /** Runs if it is time; resolves when done. */
  checkNow(): Promise<void>
  /** Checks every minute until `stop`. */
  start(): void
  stop(): Promise<void>
}

/**
 * Runs at three in the morning, or soon after startup if the server was off at that time. The first
 * run is in the night after the first start, so that users can check what will be removed. A clock
 * that is set back causes no second run in a night.
 */
export function createRetentionClock({
  db,
  now,
  timeZone,
  run,
  everyMs = checkMs,
}: RetentionClockOptions): RetentionClock {
  const expression = parseCronExpression(nightly, timeZone)
  const stopping = new AbortController()
  let working: Promise<void> | undefined

  /** `undefined` before the first start, and where the clock was far ahead at that time. */
  async function lastRun(): Promise<number | undefined> {
    const saved = Number((await findSetting(db, ranSetting)) ?? 0)
    return saved === 0 || saved > now() + maxAheadSeconds ? undefined : saved
  }

  async function next(): Promise<number> {
    return expression?.next(Math.min((await lastRun()) ?? now(), now())) ?? 0
  }

  async function runIfDue(): Promise<void> {
    // Counts from the first start, or from now if the clock was wrong; otherwise no run would ever
    // be due.
    if ((await lastRun()) === undefined) await saveSetting(db, ranSetting, String(now()))
    const time = await next()
    if (time === 0 || time > now()) return
    // Stored before the run, so that a failing run is not repeated every minute.
    await saveSetting(db, ranSetting, String(now()))
    await run(stopping.signal)
  }

  const checkNow = (): Promise<void> =>
    (working ??= runIfDue().finally(() => {
      working = undefined
    }))

  let timer: NodeJS.Timeout | undefined

  return {
    next,
    checkNow,
    start() {
      timer ??= setInterval(() => {
        checkNow().catch((error: unknown) => {
          if (!stopping.signal.aborted) logError('Retention failed; it runs again next night', error)
        })
      }, everyMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await working?.catch(() => undefined)
    },
  }
}
