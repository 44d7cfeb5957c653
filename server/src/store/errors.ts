import { diskFailure, diskFails, diskIsFull } from '../lib/disk-failure.ts'

/** A write with a stale `version` (docs/api §0 "optimistic lock"). The text is the API's. */
export class StaleVersionError extends Error {
  readonly status = 409
  constructor() {
    super('Optimistic Lock Error')
    this.name = 'StaleVersionError'
  }
}

/** The database was written by a later Flightdeck: this one would not know what it must keep intact. */
export class NewerVersionError extends Error {
  constructor(found: number, known: number) {
    super(
      `the database was created by a newer version of Flightdeck (its schema is ${found}, this version knows ${known}); use that version, or another data folder`,
    )
    this.name = 'NewerVersionError'
  }
}

/** Another program keeps the database locked, longer than anybody should wait. Nothing was changed. */
export class BusyError extends Error {
  readonly status = 503
  readonly retryAfter = 5
  constructor() {
    super('The database is locked by another program')
    this.name = 'BusyError'
  }
}

/** Of SQLite (https://sqlite.org/rescode.html). */
export const resultCodes = {
  error: 1,
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  noDatabase: 26,
}

/** SQLite's error names; some of the package's errors contain nothing else. */
const resultTexts: Record<string, number> = {
  'database is locked': resultCodes.busy,
  'database table is locked': 6,
  'out of memory': 7,
  'attempt to write a readonly database': resultCodes.readOnly,
  'disk I/O error': resultCodes.io,
  'database disk image is malformed': resultCodes.corrupt,
  'database or disk is full': resultCodes.full,
  'unable to open database file': resultCodes.cantOpen,
  'file is not a database': resultCodes.noDatabase,
}

/** The primary result code of a failure of SQLite; `null` for every other error. */
export function resultCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return resultTexts[error.message] ?? resultCodes.error
}

const storageResults: Record<number, string> = {
  [resultCodes.full]: diskIsFull,
  [resultCodes.readOnly]: diskFails('read-only'),
  [resultCodes.io]: diskFails('input/output error'),
  [resultCodes.cantOpen]: diskFails('the database cannot be opened'),
}

/** One sentence about a disk that is full, read-only or broken; `null` for every other error. Names no file. */
export function storageFailure(error: unknown): string | null {
  const result = resultCodeOf(error)
  if (result !== null) return storageResults[result] ?? null
  return diskFailure(error)
}
