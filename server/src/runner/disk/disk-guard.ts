/** Ends stages that take the last space of the server's disk, the largest first, so that the database stays writable. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createBackgroundTask } from '../../lib/background-task.ts'
import { DiskFullError, shortageOf, type DiskFigures, type DiskShortage, type Shortage } from '../../lib/disk-space.ts'
import { logError } from '../../lib/log.ts'
import { diskUsage, type DiskUsage, type DiskUsageOptions } from './disk-usage.ts'

/** While stages run. A fast disk writes some 500 MB meanwhile. */
const everyMs = 250
/** While so little more than the limit is free that this could be too late. */
const nearMs = 20
const nearBytes = 1024 ** 3
const nearFiles = 20_000
/** The removal of a workspace may take long; meanwhile no other stage is ended. */
const maxRemovalMs = 60_000
/** After a count that found nothing to end. */
const pauseMs = 5_000
/** A stage that uses less than this part of what is missing is not why the disk is full. */
const minShare = 1 / 8

export interface GuardedStage extends DiskUsageOptions {
  id: number
  /** What its steps have written to logs, which stay, but do not grow when it ends. */
  logBytes?: () => number
  end(reason: DiskFullError): void
}

export interface DiskGuard {
  /** Guards a stage until the returned function is called, which is after its workspace has been removed. */
  watch(stage: GuardedStage): () => void
  stop(): Promise<void>
}

export interface DiskGuardOptions {
  dataDir: string
  /** For tests. */
  readDisk?: (folder: string) => Promise<DiskFigures>
}

interface ShortDisk extends DiskShortage {
  /** The id of the device. */
  dev: number
}

export function createDiskGuard({ dataDir, readDisk = statfs }: DiskGuardOptions): DiskGuard {
  /** With the moment when each was ended. */
  const stages = new Map<GuardedStage, number | null>()
  /** At the last look. */
  let isNear = false

  /** Of the disks of the data folder and of workspaces, which may be two. */
  async function findShortage(): Promise<ShortDisk | null> {
    isNear = false
    for (const folder of new Set([dataDir, ...[...stages.keys()].map((stage) => dirname(stage.folder))])) {
      // A folder that is not there says nothing about its disk.
      const figures = await readDisk(folder).catch(() => null)
      isNear ||= figures !== null && isNearlyShort(figures)
      const found = figures && shortageOf(figures)
      const dev = found && (await deviceOf(folder))
      if (found && dev !== null) return { dev, ...found }
    }
    return null
  }

  async function endLargest({ dev, kind, min }: ShortDisk): Promise<boolean> {
    const hasLogs = kind === 'space' && (await deviceOf(dataDir)) === dev
    const running = [...stages].filter(([, endedAt]) => endedAt === null).map(([stage]) => stage)
    const counted = await Promise.all(
      running.map(async (stage) => {
        const isThere = (await deviceOf(stage.folder)) === dev
        const usage = isThere ? await diskUsage(stage) : null
        return { stage, size: sizeOf(usage, kind) + (hasLogs ? (stage.logBytes?.() ?? 0) : 0) }
      }),
    )
    const largest = counted.toSorted((a, b) => b.size - a.size)[0]
    // It may have ended while it was counted.
    if (!largest || largest.size < min * minShare || !stages.has(largest.stage)) return false
    stages.set(largest.stage, performance.now())
    const reason = new DiskFullError(endText(kind, largest.size))
    logError(`stage ${largest.stage.id} was ended: ${reason.message}`)
    largest.stage.end(reason)
    return true
  }

  const task = createBackgroundTask({
    async run(signal) {
      const shortage = isRemoving(stages.values()) ? null : await findShortage()
      if (shortage === null || (await endLargest(shortage))) return
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    },
    onError: (error) => logError('The disk could not be watched', error),
  })
  let timer: NodeJS.Timeout | undefined
  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  function startTimer(): void {
    const next = setTimeout(
      () => {
        void task.start().then(() => {
          // Otherwise it was stopped, and perhaps started again, meanwhile.
          if (timer === next) startTimer()
        })
      },
      isNear ? nearMs : everyMs,
    ).unref()
    timer = next
  }
  const unwatch = (stage: GuardedStage) => {
    stages.delete(stage)
    if (stages.size === 0) stopTimer()
  }
  return {
    watch(stage) {
      stages.set(stage, null)
      if (!timer) startTimer()
      return () => unwatch(stage)
    },
    async stop() {
      stopTimer()
      await task.stop()
    },
  }
}

const isNearlyShort = ({ bavail, bsize, files, ffree }: DiskFigures): boolean =>
  bavail * bsize < nearBytes || (files > 0 && ffree < nearFiles)

const sizeOf = (usage: DiskUsage | null, kind: Shortage): number =>
  usage ? (kind === 'space' ? usage.bytes : usage.inodes) : 0

/** Whether the space of an ended stage is still on its way back. */
const isRemoving = (endedAt: Iterable<number | null>): boolean =>
  [...endedAt].some((ended) => ended !== null && performance.now() - ended < maxRemovalMs)

const deviceOf = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ dev }) => dev,
    () => null,
  )

function endText(kind: Shortage, size: number): string {
  const [lack, most] =
    kind === 'space'
      ? ['was nearly full', `used the most of it, ${Math.round(size / 1024 / 1024)} MiB`]
      : ['had nearly no inodes left', `used the most of them, ${size}`]
  const usage = Number.isFinite(size) ? most : 'had more files than could be counted'
  return `The disk of the server ${lack}, and this stage ${usage}.`
}
