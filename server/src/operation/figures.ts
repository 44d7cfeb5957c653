/**
 * The metrics of this process and its data folder; those of builds and users come from the
 * database.
 */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnsweredCall, Figures, MissedEvent } from '../interfaces/figures.ts'
import { createFolderSizes, type FolderSizes } from './folder-sizes.ts'
import { counter, createHistogram, gauge } from './histogram.ts'
import { databaseName } from './backup/format.ts'

const loopBounds = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]
const httpBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export interface FigureKeeper extends Figures {
  /** A delay of the event loop, in milliseconds. */
  observeLoop(delayMs: number): void
  readonly folders: FolderSizes
}

/** `data`: the data folder. */
export function createFigures(data: string): FigureKeeper {
  const loop = createHistogram(
    'flightdeck_event_loop_delay_seconds',
    'Event loop delay, sampled 50 times a second.',
    loopBounds,
  )
  const http = createHistogram(
    'flightdeck_http_request_duration_seconds',
    'Time to the first byte of a response, by method, route and status.',
    httpBounds,
  )
  const folders = createFolderSizes(data)
  const missed: Record<MissedEvent, number> = { skipped: 0, cut: 0 }
  return {
    folders,
    observeLoop: (delayMs) => loop.observe(delayMs / 1000),
    observe: ({ method, route, status, seconds }: AnsweredCall) =>
      http.observe(seconds, `method="${method}",route="${escapeLabel(route)}",status="${status}"`),
    observeMissed(what) {
      missed[what] += 1
    },
    async text() {
      const database = join(data, databaseName)
      const [size, log, disk] = await Promise.all([sizeOf(database), sizeOf(`${database}-wal`), diskOf(data)])
      return [
        gauge('flightdeck_database_bytes', 'Size of the database and its write-ahead log.', size + log),
        gauge('flightdeck_database_wal_bytes', 'Size of the write-ahead log of the database.', log),
        folders.text(),
        counter(
          'flightdeck_events_skipped_total',
          'Events skipped for slow clients, which got a later state of the build instead.',
          missed.skipped,
        ),
        counter(
          'flightdeck_event_readers_cut_total',
          'Event stream clients that were too slow and had to reconnect.',
          missed.cut,
        ),
        ...(disk
          ? [
              gauge('flightdeck_disk_free_bytes', 'Free space on the disk of the data folder.', disk.free),
              gauge('flightdeck_disk_size_bytes', 'Size of the disk of the data folder.', disk.size),
            ]
          : []),
        loop.text(),
        http.text(),
      ].join('')
    },
  }
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

const diskOf = (folder: string): Promise<{ free: number; size: number } | null> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
    () => null,
  )
