/**
 * `backup FILE`: a consistent, checked copy of a data folder, while a server runs on it. It runs in
 * a process of its own and reads the database in one transaction; logs are copied after it, those
 * of later steps left out.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { once } from 'node:events'
import { finished, pipeline } from 'node:stream/promises'
import { createGzip, constants } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { errorMessage } from '../../lib/error-message.ts'
import { syncFolder } from '../../lib/sync-folder.ts'
import { BackupError } from './backup-error.ts'
import {
  databaseName,
  formatVersion,
  headerName,
  logsFolder,
  newHash,
  plainFiles,
  reposFolder,
  sumLine,
  sumsName,
  type BackupHeader,
} from './format.ts'
import { paddingOf, tarEnd, tarHeader } from './tar.ts'
import { readBackup } from './read-backup.ts'

export interface BackupResult {
  /** Bytes of the file. */
  bytes: number
  logs: number
  hasKey: boolean
}

interface Source {
  name: string
  path: string
}

export async function createBackup(data: string, file: string, version: string): Promise<BackupResult> {
  const target = resolve(file)
  if (await exists(target)) throw new BackupError(`${file} already exists; choose another name, or remove it first`)
  const database = join(data, databaseName)
  if (!(await exists(database))) throw new BackupError(`${data} is not a Flightdeck data folder`)
  const unfinished = `${target}.unfinished`
  // Beside the target, where there must be room for it anyway.
  const scratch = await mkdtemp(join(dirname(target), '.flightdeck-backup-')).catch((error: unknown) => {
    throw new BackupError(`${dirname(target)} cannot be written: ${errorMessage(error)}`)
  })
  try {
    const copy = join(scratch, databaseName)
    const { schema, lastStep } = copyDatabase(database, copy)
    const header: BackupHeader = { format: formatVersion, version, schema, created: new Date().toISOString() }
    const counts = { logs: 0, hasKey: false }
    await pipeline(
      archive({ data, copy, scratch, header, lastStep, counts }),
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await checkWritten(unfinished, schema)
    await rename(unfinished, target)
    await syncFolder(dirname(target))
    return { bytes: (await stat(target)).size, ...counts }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Reads the database in one transaction. The copy is checked: a damaged one would be no backup. */
function copyDatabase(database: string, copy: string): { schema: number; lastStep: number } {
  const from = new DatabaseSync(database)
  try {
    from.exec('pragma busy_timeout = 10000')
    from.prepare('vacuum into ?').run(copy)
  } catch (error) {
    throw new BackupError(`The database could not be copied: ${errorMessage(error)}`)
  } finally {
    from.close()
  }
  const to = new DatabaseSync(copy)
  try {
    checkDatabase(to)
    const { user_version: schema } = to.prepare('pragma user_version').get() as { user_version: number }
    const last = to.prepare("select seq from sqlite_sequence where name = 'steps'").get() as { seq: number } | undefined
    return { schema, lastStep: last?.seq ?? 0 }
  } finally {
    to.close()
  }
}

/** Throws unless the database is whole. */
export function checkDatabase(db: InstanceType<typeof DatabaseSync>): void {
  const [first] = db.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[]
  if (first?.integrity_check !== 'ok') throw new BackupError(`The database is damaged: ${first?.integrity_check}`)
}

interface Parts {
  data: string
  copy: string
  scratch: string
  header: BackupHeader
  lastStep: number
  counts: { logs: number; hasKey: boolean }
}

async function* archive({ data, copy, scratch, header, lastStep, counts }: Parts): AsyncGenerator<Buffer> {
  const sums = createWriteStream(join(scratch, 'sums'), { flags: 'wx', mode: 0o600 })

  async function* entry(name: string, content: Buffer | Source): AsyncGenerator<Buffer> {
    const hash = newHash()
    if (Buffer.isBuffer(content)) {
      hash.update(content)
      yield Buffer.concat([tarHeader({ name, size: content.length, executable: false }), content])
      yield paddingOf(content.length)
    } else yield* fileEntry(name, content.path, hash)
    if (!sums.write(sumLine(hash, name))) await once(sums, 'drain')
  }

  yield* entry(headerName, Buffer.from(`${JSON.stringify(header)}\n`))
  yield* entry(databaseName, { name: databaseName, path: copy })
  for (const name of plainFiles) {
    const path = join(data, name)
    if (name === databaseName || !(await exists(path))) continue
    counts.hasKey ||= name === 'secrets-key'
    yield* entry(name, { name, path })
  }
  for await (const log of listLogs(data, lastStep)) {
    const stable = await stableLog(log, join(scratch, 'log'))
    if (!stable) continue
    counts.logs += 1
    yield* entry(stable.name, stable)
  }
  for await (const file of listRepos(data)) yield* entry(file.name, file)
  sums.end()
  await finished(sums)
  yield* fileEntry(sumsName, join(scratch, 'sums'), newHash())
  yield tarEnd()
}

async function* fileEntry(name: string, path: string, hash: ReturnType<typeof newHash>): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { size, mode } = await handle.stat()
    yield tarHeader({ name, size, executable: (mode & 0o100) !== 0 })
    let left = size
    if (size > 0) {
      for await (const piece of createReadStream(path, { fd: handle, end: size - 1, autoClose: false })) {
        const bytes = piece as Buffer
        left -= bytes.length
        hash.update(bytes)
        yield bytes
      }
    }
    if (left > 0) throw new BackupError(`${name} became shorter while it was copied; try again`)
    yield paddingOf(size)
  } finally {
    await handle.close().catch(() => {})
  }
}

/**
 * One path for each step that the copied database knows: a later step's log would be taken for the
 * log of another step after a restore. While a log is compressed, and after a crash at that moment,
 * a step has two files.
 */
async function* listLogs(data: string, lastStep: number): AsyncGenerator<Source> {
  const folder = join(data, logsFolder)
  for (const thousand of (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const names = await readdir(join(folder, thousand)).catch(() => [])
    const steps = new Set(names.flatMap((name) => /^(\d+)\.json(?:\.gz)?$/.exec(name)?.[1] ?? []))
    for (const step of steps) {
      if (Number(step) > lastStep) continue
      const name = `${step}.json`
      yield { name: `${logsFolder}/${thousand}/${name}`, path: join(folder, thousand, name) }
    }
  }
}

/**
 * The compressed file, which is always whole; otherwise a copy of the log as it is now; `null` for
 * a removed one.
 */
async function stableLog({ name, path }: Source, copy: string): Promise<Source | null> {
  const compressed = { name: `${name}.gz`, path: `${path}.gz` }
  if (await exists(compressed.path)) return compressed
  try {
    await copyFile(path, copy)
    return { name, path: copy }
  } catch {
    // Compressed meanwhile.
    return (await exists(compressed.path)) ? compressed : null
  }
}

async function* listRepos(data: string): AsyncGenerator<Source> {
  const folder = join(data, reposFolder)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.lock')) continue
    const path = join(entry.parentPath, entry.name)
    const name = `${reposFolder}/${relative(folder, path)}`
    if (!name.startsWith(`${reposFolder}/.`)) yield { name, path }
  }
}

/** Reads what was written from its first to its last byte, as a restore would. */
async function checkWritten(file: string, schema: number): Promise<void> {
  for await (const { content } of readBackup(file, schema)) for await (const _ of content);
}
