import { setTimeout as delay } from 'node:timers/promises'
import { BusyError, resultCodeOf } from './errors.ts'
import { errorMessage } from '../lib/error-message.ts'
import { writeLog } from '../lib/log.ts'

/**
 * Temporary errors: a full disk, a file system that the kernel made read-only after an error until
 * it is mounted again, a database that another program has locked, no file descriptor or process
 * available.
 */
const passingCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY'])
/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const passingResults = new Set([5, 6, 7, 8, 10, 13, 14])

/** Whether the same operation may succeed later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof BusyError) return true
  const result = resultCodeOf(error)
  if (result !== null) return passingResults.has(result)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && passingCodes.has(code)
}

export interface RetryTimes {
  /** Milliseconds; without it, retries do not end. */
  timeoutMs?: number
  /** Ends the retries. */
  signal?: AbortSignal
}

/** Retries failed writes, so that a full disk causes only a delay. */
export interface Writes {
  /**
   * Retries `work` and returns its result. Throws permanent errors, and the last temporary one at
   * the timeout.
   */
  retryWithBackoff<T>(what: string, work: () => Promise<T>, limits?: RetryTimes): Promise<T>
  /** The same in the background, for callers that do not need the result. */
  later(what: string, work: () => Promise<unknown>): void
  /** Call when the server stops: pending writes have a few seconds left. */
  stopRetries(): void
  /** Resolves when no background write is left. */
  stop(): Promise<void>
}

const firstPauseMs = 50
const maxPauseMs = 2_000
const lastMs = 3_000

const logWarning = (message: string): void => writeLog('warn', message)

export function createWrites(log: (message: string) => void = logWarning, last = lastMs): Writes {
  const stopping = new AbortController()
  const promised = new Set<Promise<void>>()
  let deadline = Infinity

  async function retryWithBackoff<T>(
    what: string,
    work: () => Promise<T>,
    { timeoutMs, signal }: RetryTimes = {},
  ): Promise<T> {
    const end = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    for (let attempt = 1, pause = firstPauseMs; ; attempt += 1, pause = Math.min(maxPauseMs, pause * 2)) {
      try {
        const result = await work()
        if (attempt > 1) log(`${what} was written on attempt ${attempt}`)
        return result
      } catch (error) {
        const left = Math.min(end, deadline) - performance.now()
        if (!isPassing(error) || left <= 0 || signal?.aborted) throw error
        if (attempt === 1) log(`${what} could not be written; retrying: ${errorMessage(error)}`)
        // Woken once by the stop, then by the clock.
        const alarms = [signal, stopping.signal.aborted ? undefined : stopping.signal].filter((it) => it !== undefined)
        await delay(Math.min(pause, left), undefined, { signal: AbortSignal.any(alarms) }).catch(() => {})
      }
    }
  }

  function stopRetries(): void {
    if (!stopping.signal.aborted) deadline = performance.now() + last
    stopping.abort()
  }

  return {
    retryWithBackoff,
    stopRetries,
    later(what, work) {
      const promise = retryWithBackoff(what, work).then(
        () => {},
        (error: unknown) => log(`${what} was not written: ${errorMessage(error)}`),
      )
      promised.add(promise)
      void promise.then(() => promised.delete(promise))
    },
    async stop() {
      stopRetries()
      await Promise.all(promised)
    },
  }
}
