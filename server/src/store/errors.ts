import { diskFailure, diskFails, diskIsFull } from '../lib/disk-failure.ts'

/**
 * A write with an outdated `version` (docs/api §0 "optimistic lock"). The text is part of the API.
 */
export class StaleVersionError extends Error {
  readonly status = 409
  constructor() {
    super('Optimistic Lock Error')
    this.name = 'StaleVersionError'
  }
}

/**
 * A later version of Flightdeck wrote the database, so this one cannot know how to keep it valid.
 */
export class NewerVersionError extends Error {
  constructor(found: number, known: number) {
    super(
      `the database was created by a newer version of Flightdeck (its schema is ${found}, this version knows ${known}); use that version, or another data folder`,
    )
    this.name = 'NewerVersionError'
  }
}

/** Another program has locked the database for longer than the timeout. Nothing was changed. */
export class BusyError extends Error {
  readonly status = 503
  readonly retryAfter = 5
  constructor() {
    super('The database is locked by another program')
    this.name = 'BusyError'
  }
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
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

/** SQLite's error names; some errors of the package contain nothing else. */
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

/** The primary result code of an SQLite error; `null` for every other error. */
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

/**
 * A sentence about a full, read-only or broken disk; `null` for every other error. Names no file.
 */
export function storageFailure(error: unknown): string | null {
  const result = resultCodeOf(error)
  if (result !== null) return storageResults[result] ?? null
  return diskFailure(error)
}
