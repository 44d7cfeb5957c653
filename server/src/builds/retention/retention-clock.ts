/** Starts the retention each night. */
import type { Db } from '../../store/open.ts'
import { findSetting, saveSetting } from '../../store/settings.ts'
import { parseCronExpression } from '../cron-expression.ts'
import { logError } from '../../lib/log.ts'

/** Three in the morning, with seconds first. */
const nightly = '0 0 3 * * *'
const ranSetting = 'retention_ran'
const lookMs = 60_000

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
  look(): Promise<void>
  /** Looks every minute until `stop`. */
  start(): void
  stop(): Promise<void>
}

/**
 * Runs at three in the morning; soon after the start where the server was off at that time. The first run is the night after the
 * server's first start, so that there is time to read what will go. A clock that is set back causes no second run in a night.
 */
export function createRetentionClock({
  db,
  now,
  timeZone,
  run,
  everyMs = lookMs,
}: RetentionClockOptions): RetentionClock {
  const expression = parseCronExpression(nightly, timeZone)
  const stopping = new AbortController()
  let working: Promise<void> | undefined

  async function next(): Promise<number> {
    const ran = Number((await findSetting(db, ranSetting)) ?? 0)
    if (ran === 0) await saveSetting(db, ranSetting, String(now()))
    // A clock that was ahead once must not keep the next run from coming.
    return expression?.next(Math.min(ran || now(), now())) ?? 0
  }

  async function runIfDue(): Promise<void> {
    const time = await next()
    if (time === 0 || time > now()) return
    // Before it begins: a run that fails is not repeated every minute.
    await saveSetting(db, ranSetting, String(now()))
    await run(stopping.signal)
  }

  const look = (): Promise<void> =>
    (working ??= runIfDue().finally(() => {
      working = undefined
    }))

  let timer: NodeJS.Timeout | undefined

  return {
    next,
    look,
    start() {
      timer ??= setInterval(() => {
        look().catch((error: unknown) => {
          if (!stopping.signal.aborted) logError('Retention failed, and is tried again the next night', error)
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
