/** Migrates a database. `pragma user_version` counts the migrations that it has had. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { NewerVersionError } from './errors.ts'
import { migrations } from './migrations.ts'

/** How many migrations the database has had. */
export const schemaVersion = (db: DatabaseSyncInstance): number => {
  const row = db.prepare('pragma user_version').get() as { user_version: number } | undefined
  return row?.user_version ?? 0
}

const missingMigrations = (db: DatabaseSyncInstance, list: readonly string[]): readonly string[] => {
  const version = schemaVersion(db)
  if (version > list.length) throw new NewerVersionError(version, list.length)
  return list.slice(version)
}

/**
 * Runs the missing migrations in one transaction: a failing or interrupted one leaves the database
 * as it was, and a new database costs one write to the disk instead of one per migration.
 */
export const migrate = (db: DatabaseSyncInstance, list: readonly string[] = migrations): void => {
  if (missingMigrations(db, list).length === 0) return
  db.exec('begin immediate')
  try {
    // Again under the lock: another process may have migrated in the meantime.
    for (const text of missingMigrations(db, list)) db.exec(text)
    db.exec(`pragma user_version = ${list.length}; commit`)
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}
