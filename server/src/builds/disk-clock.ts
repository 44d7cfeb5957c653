/**
 * New stages wait while the disk of the data folder or of workspaces is nearly full: what is left
 * is for the stages that run.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createBackgroundTask } from '../lib/background-task.ts'
import { diskProblem } from '../lib/disk-space.ts'
import { logError, writeLog } from '../lib/log.ts'
import type { Queue } from './stage-queue.ts'

const everyMs = 1_000

export interface DiskClockOptions {
  queue: Pick<Queue, 'setHeld'>
  folder: string
  /** The folder for workspaces, if it is on a different disk. */
  workspaces?: string | undefined
  /** For tests. */
  findProblem?: (folder: string, of?: string) => Promise<string | null>
}

export function startDiskClock({ queue, folder, workspaces, findProblem = diskProblem }: DiskClockOptions): {
  stop(): Promise<void>
} {
  let isLow = false
  // A missing folder has no disk to check.
  const find = async (checked: string, of?: string) => findProblem(checked, of).catch(() => null)
  const task = createBackgroundTask({
    async run(signal) {
      while (!signal.aborted) {
        const problem = (await find(folder)) ?? (workspaces === undefined ? null : await find(workspaces, 'workspaces'))
        if ((problem !== null) !== isLow) {
          isLow = !isLow
          queue.setHeld(isLow)
          if (problem === null) writeLog('info', 'The disk has space again: stages start')
          else logError(`${problem}. New stages are waiting`)
        }
        await delay(everyMs, undefined, { signal, ref: false }).catch(() => {})
      }
    },
    onError: (error) => logError('The free space of the disk could not be checked', error),
  })
  void task.start()
  return task
}
