/**
 * Ends stages that use up the last free space of the server's disk, the largest first, so that the
 * database stays writable.
 */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createBackgroundTask } from '../../lib/background-task.ts'
import { DiskFullError, shortageOf, type DiskFigures, type DiskShortage, type Shortage } from '../../lib/disk-space.ts'
import { logError } from '../../lib/log.ts'
import { diskUsage, type DiskUsage, type DiskUsageOptions } from './disk-usage.ts'

/** The interval of checks while stages run. A fast disk writes about 500 MB in this time. */
const everyMs = 250
/** The interval while so little space is free that the usual one could be too long. */
const nearMs = 20
const nearBytes = 1024 ** 3
const nearFiles = 20_000
/** Removing a workspace can take long. No other stage is ended during this time. */
const maxRemovalMs = 60_000
/** The delay after a count that found no stage to end. */
const pauseMs = 5_000
/**
 * A stage that uses less than this share of the missing space is not the reason why the disk is
 * full.
 */
const minShare = 1 / 8

export interface GuardedStage extends DiskUsageOptions {
  id: number
  /** The size of the stage's logs. They remain when the stage ends, but stop growing. */
  logBytes?: () => number
  end(reason: DiskFullError): void
}

export interface DiskGuard {
  /**
   * Guards a stage until the returned function is called, after the stage's workspace has been
   * removed.
   */
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
  /** The value is the time when the stage was ended, or `null` while it runs. */
  const stages = new Map<GuardedStage, number | null>()
  /** Whether little space was free at the last check. */
  let isNear = false

  /** Checks the disks of the data folder and of workspaces, which can be two. */
  async function findShortage(): Promise<ShortDisk | null> {
    isNear = false
    for (const folder of new Set([dataDir, ...[...stages.keys()].map((stage) => dirname(stage.folder))])) {
      // A missing folder gives no information about its disk.
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
    // The stage may have ended during the count.
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

/** Whether the workspace of a stage that was ended is still being removed. */
const isRemoving = (endedAt: Iterable<number | null>): boolean =>
  [...endedAt].some((ended) => ended !== null && performance.now() - ended < maxRemovalMs)

const deviceOf = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ dev }) => dev,
    () => null,
  )

function endText(kind: Shortage, size: number): string {
  const [lack, usageText] =
    kind === 'space'
      ? ['was nearly full', `used the most of it, ${Math.round(size / 1024 / 1024)} MiB`]
      : ['had nearly no inodes left', `used the most of them, ${size}`]
  const usage = Number.isFinite(size) ? usageText : 'had more files than could be counted'
  return `The disk of the server ${lack}, and this stage ${usage}.`
}
