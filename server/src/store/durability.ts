/**
 * What was promised outlives a loss of power. SQLite appends each transaction to its write-ahead log and does not wait for the disk
 * (`synchronous = normal`), since that would hold the event loop. Here the log is synced in another thread, once for all waiting callers, and
 * answers and events wait for it.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whenMissing } from '../lib/when-missing.ts'

export interface Durability {
  /** Something was committed. */
  committed(): void
  /** Resolves when all that was committed until now is on the disk; at once if it is. Rejects where the disk fails. */
  synced(): Promise<void>
  close(): Promise<void>
}

/** `path`: of the database. `checkpoint` writes the whole log into the database, with its syncs; for a log that cannot be synced. */
export function createDurability(path: string, checkpoint: () => void): Durability {
  let commits = 0
  let onDisk = 0
  /** A sync failed. The system may have dropped what it could not write, and a second sync would say nothing about it. */
  let isDoubtful = false
  let file: FileHandle | null = null
  let running: Promise<void> | undefined

  /** `null`: there is none, so nothing waits in it. */
  async function openLog(): Promise<FileHandle | null> {
    // Closing it drops no lock: SQLite locks the database and its index of the log, never the log itself.
    const log = await open(`${path}-wal`, 'r').catch(whenMissing(null))
    // The names of the database and of its log.
    const folder = await open(dirname(path), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
    return log
  }

  async function sync(): Promise<void> {
    const upTo = commits
    if (isDoubtful) {
      checkpoint()
      isDoubtful = false
    } else {
      try {
        file ??= await openLog()
        await file?.datasync()
      } catch (error) {
        isDoubtful = true
        throw error
      }
    }
    onDisk = Math.max(onDisk, upTo)
  }

  return {
    committed() {
      commits += 1
    },
    async synced() {
      const wanted = commits
      while (onDisk < wanted) {
        // A running sync may have started before the commit: then the next one counts.
        running ??= sync().finally(() => {
          running = undefined
        })
        await running
      }
    },
    async close() {
      await running?.catch(() => {})
      await file?.close()
    },
  }
}

/** For a database in memory. */
export const noDurability: Durability = {
  committed() {},
  synced: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
