/** New stages wait while the disk of the data folder is nearly full: what is left is for the logs and states of those that run. */
import { setTimeout as delay } from 'node:timers/promises'
import { createBackgroundTask } from '../lib/background-task.ts'
import { diskProblem } from '../lib/disk-space.ts'
import { logError, writeLog } from '../lib/log.ts'
import type { Queue } from './stage-queue.ts'

const everyMs = 1_000

export interface DiskClockOptions {
  queue: Pick<Queue, 'hold'>
  folder: string
  /** For tests. */
  findProblem?: (folder: string) => Promise<string | null>
}

export function startDiskClock({ queue, folder, findProblem = diskProblem }: DiskClockOptions): {
  stop(): Promise<void>
} {
  let isLow = false
  const task = createBackgroundTask({
    async run(signal) {
      while (!signal.aborted) {
        // A missing folder has no disk to check.
        const problem = await findProblem(folder).catch(() => null)
        if ((problem !== null) !== isLow) {
          isLow = !isLow
          queue.hold(isLow)
          if (problem === null) writeLog('info', 'The disk of the data folder has space again: stages start')
          else logError(`${problem}. New stages wait`)
        }
        await delay(everyMs, undefined, { signal, ref: false }).catch(() => {})
      }
    },
    onError: (error) => logError('The free space of the disk could not be checked', error),
  })
  void task.start()
  return task
}
