/**
 * What is in a backup: `flightdeck-backup.json` first, which says what it is; then the files of the
 * data folder; `SHA256SUMS` last, as `sha256sum -c` reads it, with a line for each entry before it.
 */
import { createHash, type Hash } from 'node:crypto'
import { BackupError } from './backup-error.ts'

export const headerName = 'flightdeck-backup.json'
export const sumsName = 'SHA256SUMS'
export const databaseName = 'flightdeck.db'
export const settingsName = 'settings.json'
export const formatVersion = 1

export interface BackupHeader {
  format: typeof formatVersion
  /** Of the Flightdeck that made it. */
  version: string
  /** Number of migrations that its database has had. */
  schema: number
  /** ISO 8601. */
  created: string
}

/**
 * Files directly in the data folder. `process-mark` and lock files stay: they belong to the
 * machine.
 */
export const plainFiles = [databaseName, 'secrets-key', 'admin-password', settingsName] as const
/** The sample repository. */
export const reposFolder = 'repos'
export const logsFolder = 'logs'

const logName = /^logs\/\d{1,15}\/\d{1,15}\.json(\.gz)?$/

/**
 * Whether an entry may be written into a data folder. Everything else could lead out of it, or
 * change how the server works.
 */
export function isAllowed(name: string): boolean {
  if ((plainFiles as readonly string[]).includes(name) || logName.test(name)) return true
  const [first, ...parts] = name.split('/')
  if (first !== reposFolder || parts.length === 0) return false
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part))
}

export const sumLine = (hash: Hash, name: string): string => `${hash.digest('hex')}  ${name}\n`

export const newHash = (): Hash => createHash('sha256')

/** Reads the first entry, or throws a sentence. */
export function parseBackupHeader(text: string, knownSchema: number): BackupHeader {
  const foreign = new BackupError('The file is not a Flightdeck backup')
  let parsed: Partial<Record<keyof BackupHeader, unknown>>
  try {
    parsed = JSON.parse(text) as typeof parsed
  } catch {
    throw foreign
  }
  const { format, version, schema, created } = parsed ?? {}
  if (typeof version !== 'string' || typeof schema !== 'number' || typeof created !== 'string') throw foreign
  if (format !== formatVersion || schema > knownSchema) {
    throw new BackupError(
      `The backup was made by Flightdeck ${version}, which is newer than this one; restore it with that version or a later one`,
    )
  }
  return { format, version, schema, created }
}
