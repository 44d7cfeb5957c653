/**
 * Returns free space to the file system in small steps. This needs `auto_vacuum = incremental`, which databases of earlier versions
 * lack: SQLite changes the setting only by rewriting the file, which `npm start -- compact` does while the server is stopped. Until then,
 * SQLite reuses the free pages.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { nextTurn } from '../lib/event-loop.ts'
import { schemaVersion } from './migrate.ts'

/** Of `pragma auto_vacuum`. */
const incremental = 2

/** Pages that one turn of the event loop moves: about a millisecond. */
const pagesAtOnce = 32
/** So many of a hundred pages stay for the builds of the next days. */
const sparePercent = 5

const read = (db: DatabaseSyncInstance, pragma: string): number =>
  Number(Object.values((db.prepare(`pragma ${pragma}`).get() ?? {}) as Record<string, unknown>)[0] ?? 0)

/** Before the first table is made; of a database with tables it changes nothing. */
export const prepareVacuum = (db: DatabaseSyncInstance): void => {
  if (schemaVersion(db) === 0) db.exec('pragma auto_vacuum = incremental')
}

const isIncremental = (db: DatabaseSyncInstance): boolean => read(db, 'auto_vacuum') === incremental

/** Nothing happens where the database cannot do it in parts. */
export async function releaseSpace(db: DatabaseSyncInstance, signal: AbortSignal): Promise<void> {
  if (!isIncremental(db)) return
  const spare = Math.ceil((read(db, 'page_count') * sparePercent) / 100)
  while (!signal.aborted) {
    await nextTurn()
    // One connection: inside another caller's transaction it would be a part of it.
    if (db.isTransaction) {
      await delay(10)
      continue
    }
    const free = read(db, 'freelist_count')
    if (free <= spare) break
    db.exec(`pragma incremental_vacuum(${Math.min(pagesAtOnce, free - spare)})`)
  }
  // The file itself gets shorter with this. The write-ahead log holds a thousand pages at most.
  if (!db.isTransaction) db.exec('pragma wal_checkpoint(passive)')
}

/**
 * Rewrites the whole file, so that later vacuums can free space in parts. Needs up to twice its size as free space, for a
 * temporary copy and the write-ahead log.
 */
export function compactDatabase(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental; vacuum; pragma wal_checkpoint(truncate)')
  } finally {
    db.close()
  }
}
