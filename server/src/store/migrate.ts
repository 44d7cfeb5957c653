/** Migrates a database. `pragma user_version` counts the migrations that it has had. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { NewerVersionError } from './errors.ts'
import { migrations } from './migrations.ts'

/** How many migrations the database has had. */
export const schemaVersion = (db: DatabaseSyncInstance): number => {
  const row = db.prepare('pragma user_version').get() as { user_version: number } | undefined
  return row?.user_version ?? 0
}

/** Each migration is a separate transaction, so a failing one leaves the database unchanged. */
export const migrate = (db: DatabaseSyncInstance, list: readonly string[] = migrations): void => {
  const found = schemaVersion(db)
  if (found > list.length) throw new NewerVersionError(found, list.length)
  for (const [index, text] of list.entries()) {
    if (index < found) continue
    db.exec('begin immediate')
    try {
      // Another process may have migrated between the check above and the lock.
      if (schemaVersion(db) <= index) db.exec(`${text}; pragma user_version = ${index + 1}`)
      db.exec('commit')
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }
}
