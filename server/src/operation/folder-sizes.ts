/**
 * The sizes of folders in the data folder. They may hold millions of files, so `du` measures them
 * at long intervals.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { gauge } from './histogram.ts'

/** How long a measurement is used; the next read after that starts a new one. */
const maxAgeMs = 10 * 60_000
/** Timeout for one folder; millions of files take minutes on a slow disk. */
const timeoutMs = 10 * 60_000

const measured = ['logs', 'mirrors', 'git', 'workspaces'] as const

export interface FolderSizes {
  /**
   * The last measurement in Prometheus' text format; empty until there is one. Never waits for a
   * measurement.
   */
  text(): string
  /** Resolves when the running measurement has ended. */
  settled(): Promise<void>
}

/** `data`: the data folder. `now`: monotonic milliseconds. */
export function createFolderSizes(data: string, now: () => number = () => performance.now()): FolderSizes {
  let lastText = ''
  let measuredAt = -Infinity
  let measuring: Promise<void> | undefined

  async function measure(): Promise<void> {
    const rows: string[] = []
    for (const folder of measured) {
      const bytes = await sizeOf(join(data, folder))
      if (bytes !== null) rows.push(`flightdeck_folder_bytes{folder="${folder}"} ${bytes}\n`)
    }
    lastText = rows.length === 0 ? '' : head + rows.join('')
  }

  return {
    text() {
      if (!measuring && now() - measuredAt >= maxAgeMs) {
        measuredAt = now()
        measuring = measure().finally(() => {
          measuring = undefined
        })
      }
      return lastText
    },
    settled: async () => measuring,
  }
}

const head = gauge(
  'flightdeck_folder_bytes',
  'Disk space of folders in the data folder, measured every ten minutes at most.',
)

/** Bytes on the disk; `null` if the folder does not exist or could not be measured. */
const sizeOf = (folder: string): Promise<number | null> =>
  new Promise((resolve) => {
    // Files that disappear meanwhile cause exit code 1, but `du` still prints a sum.
    execFile('nice', ['-n', '19', 'du', '-sk', folder], { timeout: timeoutMs }, (_, stdout) => {
      const kibibytes = /^(\d+)\s/.exec(stdout)?.[1]
      resolve(kibibytes === undefined ? null : Number(kibibytes) * 1024)
    })
  })
