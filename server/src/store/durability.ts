/**
 * Ensures that committed data survives a power failure. SQLite appends each transaction to its
 * write-ahead log and does not wait for the disk (`synchronous = normal`), because that would block
 * the event loop. Instead, another thread syncs the log, once for all waiting callers, and
 * responses and events wait for the sync.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whenMissing } from '../lib/when-missing.ts'

export interface Durability {
  /** Call after each commit. */
  committed(): void
  /**
   * Resolves when all earlier commits are on the disk; at once if they already are. Rejects if the
   * disk fails.
   */
  synced(): Promise<void>
  close(): Promise<void>
}

/**
 * `path` is the path of the database. `checkpoint` writes and syncs the whole log into the
 * database; it is used when the log cannot be synced.
 */
export function createDurability(path: string, checkpoint: () => void): Durability {
  let commits = 0
  let onDisk = 0
  /**
   * A sync failed. The system may have dropped the data that it could not write, and a second sync
   * would not report that.
   */
  let needsCheckpoint = false
  let file: FileHandle | null = null
  let running: Promise<void> | undefined

  /** Returns `null` if there is no log, so there is nothing to sync. */
  async function openLog(): Promise<FileHandle | null> {
    // Closing the file releases no lock, because SQLite locks the database and the log's index,
    // never the log itself.
    const log = await open(`${path}-wal`, 'r').catch(whenMissing(null))
    // Sync the folder too, which contains the names of the database and the log.
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
    if (needsCheckpoint) {
      checkpoint()
      needsCheckpoint = false
    } else {
      try {
        file ??= await openLog()
        await file?.datasync()
      } catch (error) {
        needsCheckpoint = true
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
      const target = commits
      while (onDisk < target) {
        // A running sync may have started before the commit; in that case the next one counts.
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

/** For an in-memory database. */
export const noDurability: Durability = {
  committed() {},
  synced: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
