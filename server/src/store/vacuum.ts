/**
 * Returns free space to the file system in small steps. This requires `auto_vacuum = incremental`,
 * which databases of earlier versions lack. SQLite changes the setting only by rewriting the file,
 * which `npm start -- compact` does while the server is stopped. Until then, SQLite reuses the free
 * pages.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { nextTurn } from '../lib/event-loop.ts'
import { schemaVersion } from './migrate.ts'

/** The value of `pragma auto_vacuum`. */
const incremental = 2

/** The number of pages that are moved in one turn of the event loop: about a millisecond. */
const batchPages = 32
/** The percentage of pages that stay free for the builds of the next days. */
const sparePercent = 5

const read = (db: DatabaseSyncInstance, pragma: string): number =>
  Number(Object.values((db.prepare(`pragma ${pragma}`).get() ?? {}) as Record<string, unknown>)[0] ?? 0)

/** Must run before the first table is created; in a database with tables it has no effect. */
export const prepareVacuum = (db: DatabaseSyncInstance): void => {
  if (schemaVersion(db) === 0) db.exec('pragma auto_vacuum = incremental')
}

const isIncremental = (db: DatabaseSyncInstance): boolean => read(db, 'auto_vacuum') === incremental

/** Does nothing if the database has no incremental vacuum. */
export async function releaseSpace(db: DatabaseSyncInstance, signal: AbortSignal): Promise<void> {
  if (!isIncremental(db)) return
  const spare = Math.ceil((read(db, 'page_count') * sparePercent) / 100)
  while (!signal.aborted) {
    await nextTurn()
    // There is one connection, so inside another caller's transaction this would become a part of
    // it.
    if (db.isTransaction) {
      await delay(10)
      continue
    }
    const free = read(db, 'freelist_count')
    if (free <= spare) break
    db.exec(`pragma incremental_vacuum(${Math.min(batchPages, free - spare)})`)
  }
  // This shortens the file itself. The write-ahead log has at most a thousand pages.
  if (!db.isTransaction) db.exec('pragma wal_checkpoint(passive)')
}

/**
 * Rewrites the whole file, so that it can return space incrementally afterwards. Needs up to twice
 * its size as free space: for a temporary copy and the write-ahead log.
 */
export function compactDatabase(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental; vacuum; pragma wal_checkpoint(truncate)')
  } finally {
    db.close()
  }
}
