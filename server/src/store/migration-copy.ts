/**
 * Copies a database before it is migrated, so that an older version of Flightdeck can use the copy.
 */
import { constants } from 'node:fs'
import { copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { schemaVersion } from './migrate.ts'
import { migrations } from './migrations.ts'

/**
 * Copies the database at `path` beside it as `NAME.schema-N`, if it will be migrated; returns the
 * path of the copy, or `null`. Only the newest copy is kept. No other process may have the database
 * open.
 */
export async function copyBeforeMigration(path: string, target = migrations.length): Promise<string | null> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size === 0) return null
  const version = flushedVersion(path, target)
  if (version === 0 || version >= target) return null
  const copy = `${path}.schema-${version}`
  const unfinished = `${copy}.unfinished`
  try {
    // Costs nothing if the file system can share blocks.
    await copyFile(path, unfinished, constants.COPYFILE_FICLONE)
    const handle = await open(unfinished, 'r+')
    await handle.chmod(0o600)
    await handle.sync()
    await handle.close()
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await removeOthers(path, copy)
  return copy
}

/** Returns the schema version, and writes the journal to the file. */
function flushedVersion(path: string, target: number): number {
  const raw = new DatabaseSync(path)
  try {
    raw.exec('pragma busy_timeout = 5000')
    const version = schemaVersion(raw)
    if (version > 0 && version < target) raw.exec('pragma wal_checkpoint(truncate)')
    return version
  } finally {
    raw.close()
  }
}

async function removeOthers(path: string, keptPath: string): Promise<void> {
  const prefix = `${basename(path)}.schema-`
  for (const name of await readdir(dirname(path))) {
    const other = join(dirname(path), name)
    if (name.startsWith(prefix) && other !== keptPath) await rm(other, { force: true })
  }
}
