/** The only way to a database file (architecture.md, "storage"). */
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

/** What every function of the store takes first: the database, or a transaction on it. */
export type Db = Kysely<Schema>

export interface Store {
  readonly db: Db
  readonly rights: RightsWatch
  /** Resolves when all that was stored until now outlives a loss of power; at once if it does. */
  durable(): Promise<void>
  /** Gives unused pages of the database file back to the disk, some at a time, until `signal` ends it. */
  releaseSpace(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Opens or creates the database and brings it up to date. `:memory:` works too. `patience`: how many milliseconds a query
 * waits for another program's lock.
 */
export const openStore = (path: string, patience?: number): Store => {
  const raw = new DatabaseSync(path)
  let rights: RightsWatch
  try {
    raw.exec('pragma busy_timeout = 5000')
    // Before anything is written: a database made by a newer version must stay as it is.
    prepareVacuum(raw)
    migrate(raw)
    raw.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
    watchChanges(raw)
    writeAudit(raw)
    rights = watchRights(raw)
    // From here on the driver waits for locks (`dialect.ts`), without blocking the thread.
    raw.exec('pragma busy_timeout = 0')
  } catch (error) {
    raw.close()
    throw error
  }
  const durability =
    path === ':memory:' ? noDurability : createDurability(path, () => raw.exec('pragma wal_checkpoint(truncate)'))
  // What the start itself has changed.
  durability.committed()
  const db = new Kysely<Schema>({ dialect: sqliteDialect(raw, () => durability.committed(), patience) })
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
 * Runs `work` in a transaction, or in the one that `db` already is. Inside, use only the `Db` that `work` is given:
 * there is one connection, so a query on the outer one would wait for ever.
 */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
