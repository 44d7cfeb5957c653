/**
 * Closes live logs. After a cancel the runner may still send lines, so the log stays open until the
 * runner reports or the grace period ends: the stream of a running step always ends.
 */
import type { LogStore } from '../interfaces/logs.ts'
import { isPassing, type Writes } from '../store/writes.ts'
import { logError } from '../lib/log.ts'

export interface LogClosers {
  close(stepId: number): Promise<void>
  closeSoon(stepId: number): void
  /**
   * Closes what still waits, and is done when nothing is being closed any more: the folder may go
   * then.
   */
  stop(): Promise<void>
}

/** Grace period for a stopped runner to send its last lines. */
const graceMs = 3_000

/** `closed` is called for each complete log. */
export const createLogClosers = (
  logs: LogStore,
  writes: Writes,
  closed: (stepId: number) => void = () => {},
): LogClosers => {
  const timers = new Map<number, NodeJS.Timeout>()
  const pendingCloses = new Set<Promise<void>>()
  const closeNow = async (stepId: number) => {
    clearTimeout(timers.get(stepId))
    timers.delete(stepId)
    const end = async () => {
      await logs.close(stepId)
      closed(stepId)
    }
    try {
      await end()
    } catch (error) {
      // A full disk must not keep a build from ending.
      if (isPassing(error)) writes.later(`the end of the log of step ${stepId}`, end)
      else logError(`The log of step ${stepId} could not be closed`, error)
    }
  }
  const close = (stepId: number): Promise<void> => {
    const closing = closeNow(stepId).finally(() => pendingCloses.delete(closing))
    pendingCloses.add(closing)
    return closing
  }
  return {
    close,
    closeSoon(stepId) {
      clearTimeout(timers.get(stepId))
      const timer = setTimeout(() => void close(stepId), graceMs)
      timer.unref()
      timers.set(stepId, timer)
    },
    async stop() {
      for (const stepId of timers.keys()) await close(stepId)
      await Promise.all(pendingCloses)
    },
  }
}
