/**
 * `restore FILE`: writes a backup into an empty data folder. Everything is checked before anything
 * is put into its place.
 */
import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { errorMessage } from '../../lib/error-message.ts'
import { BackupError } from './backup-error.ts'
import { syncFolder } from '../../lib/sync-folder.ts'
import { checkDatabase } from './create-backup.ts'
import { databaseName } from './format.ts'
import { readBackup } from './read-backup.ts'

export interface RestoreResult {
  files: number
  /** Of the backup's database; `knownSchema` after the next start. */
  schema: number
}

const draftName = '.restore'

/** `knownSchema`: how many migrations this version has. */
export async function restoreBackup(data: string, file: string, knownSchema: number): Promise<RestoreResult> {
  const isNew = await checkEmpty(data)
  const draft = join(data, draftName)
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await chmod(data, 0o700)
    const files = await extract(file, draft, knownSchema)
    // One call for all logs, of which there may be millions. Where it is missing the system writes
    // them a little later.
    spawnSync('sync', ['-f', draft])
    const schema = checkRestored(join(draft, databaseName), knownSchema)
    const names = await readdir(draft)
    // The database last: without it the folder counts as new, and with it everything else is there.
    for (const name of names.toSorted((a) => (a === databaseName ? 1 : -1))) {
      await rename(join(draft, name), join(data, name))
    }
    await rm(draft, { recursive: true })
    await syncFolder(data)
    return { files, schema }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (isNew) await rm(data, { recursive: true, force: true })
    throw error
  }
}

/** Answers whether the folder is to be made. */
async function checkEmpty(data: string): Promise<boolean> {
  try {
    const names = await readdir(data)
    if (names.length === 0) return false
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return true
    throw new BackupError(`The data folder ${data} cannot be used: ${errorMessage(error)}`)
  }
  throw new BackupError(`The data folder ${data} is not empty; restore into a new one with --data`)
}

/** Two names can also be one file on a file system that ignores case. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String(error.code))

async function extract(file: string, draft: string, knownSchema: number): Promise<number> {
  let files = 0
  for await (const { entry, content } of readBackup(file, knownSchema)) {
    const path = join(draft, entry.name)
    const { bavail, bsize } = await statfs(draft)
    // An archive of a few MB can contain any number of GB.
    if (entry.size > bavail * bsize) {
      throw new BackupError(`The disk has too little space for ${entry.name} of the backup: ${entry.size} bytes`)
    }
    const mode = entry.executable ? 0o700 : 0o600
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode, flush: !entry.name.startsWith('logs/') }))
    } catch (error) {
      if (!isConflict(error)) throw error
      throw new BackupError(`The backup contains ${entry.name} twice, or as a file and as a folder`)
    }
    files += 1
  }
  return files
}

function checkRestored(path: string, knownSchema: number): number {
  let db: InstanceType<typeof DatabaseSync>
  try {
    db = new DatabaseSync(path, { readOnly: true })
  } catch {
    throw new BackupError('The backup has no database')
  }
  try {
    checkDatabase(db)
    const { user_version: schema } = db.prepare('pragma user_version').get() as { user_version: number }
    if (schema <= knownSchema) return schema
    throw new BackupError('The database of the backup is newer than this Flightdeck; restore it with a later version')
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`The database of the backup is damaged: ${errorMessage(error)}`)
  } finally {
    db.close()
  }
}
