/** The only code that opens a database file (architecture.md, "storage"). */
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely } from 'kysely'
import { writeAudit } from './audit-triggers.ts'
import { watchChanges } from './changes.ts'
import { sqliteDialect } from './dialect.ts'
import { createDurability, noDurability } from './durability.ts'
import { migrate } from './migrate.ts'
import { prepareVacuum, releaseSpace } from './vacuum.ts'
import { watchRights, type RightsWatch } from './rights.ts'
import type { Schema } from './schema.ts'

/** The first parameter of every function of the store: the database, or a transaction on it. */
export type Db = Kysely<Schema>

export interface Store {
  readonly db: Db
  readonly rights: RightsWatch
  /** Resolves when all earlier writes survive a power failure; at once if they already do. */
  durable(): Promise<void>
  /**
   * Returns unused pages of the database file to the file system, some at a time, until `signal`
   * aborts.
   */
  releaseSpace(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Opens or creates the database and migrates it. `:memory:` works too. `lockTimeoutMs` is how long
 * a query waits for another program's lock.
 */
export const openStore = (path: string, lockTimeoutMs?: number): Store => {
  const raw = new DatabaseSync(path)
  let rights: RightsWatch
  try {
    raw.exec('pragma busy_timeout = 5000')
    // Runs before anything is written, because a database of a newer version must stay unchanged.
    prepareVacuum(raw)
    migrate(raw)
    raw.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
    watchChanges(raw)
    writeAudit(raw)
    rights = watchRights(raw)
    // From here on the driver waits for locks (`dialect.ts`) without blocking the thread.
    raw.exec('pragma busy_timeout = 0')
  } catch (error) {
    raw.close()
    throw error
  }
  const durability =
    path === ':memory:' ? noDurability : createDurability(path, () => raw.exec('pragma wal_checkpoint(truncate)'))
  // The changes of the migrations.
  durability.committed()
  const db = new Kysely<Schema>({ dialect: sqliteDialect(raw, () => durability.committed(), lockTimeoutMs) })
  let closed = false
  return {
    db,
    rights,
    durable: () => durability.synced(),
    releaseSpace: (signal) => releaseSpace(raw, signal),
    async close() {
      if (closed) return
      closed = true
      await db.destroy()
      await durability.close()
      raw.close()
    },
  }
}

/**
 * Runs `work` in a transaction, or in the one that `db` already is. Inside, use only the `Db` that
 * `work` receives: there is one connection, so a query on the outer `Db` would wait forever.
 */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
