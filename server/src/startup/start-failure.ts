/**
 * Explains startup errors that the machine causes, in one sentence without a stack trace. Bugs keep
 * theirs.
 */
import { getSystemErrorMap } from 'node:util'
import { StartError } from '../lib/start-error.ts'
import { NewerVersionError, resultCodeOf, resultCodes } from '../store/errors.ts'

const sentences: Record<number, (file: string, reason: string) => string> = {
  [resultCodes.busy]: (file) => `The database ${file} is in use by another program; close it first`,
  [resultCodes.readOnly]: (file) =>
    `The database ${file} cannot be written; check the permissions of the file and its folder`,
  [resultCodes.io]: (file, reason) =>
    `The database ${file} cannot be read or written (${reason}); is the disk full or damaged?`,
  [resultCodes.corrupt]: (file, reason) => damaged(file, reason),
  [resultCodes.full]: (file) => full(file),
  [resultCodes.cantOpen]: (file) =>
    `The database ${file} cannot be opened; check the permissions of the file and its folder`,
  [resultCodes.noDatabase]: (file, reason) => damaged(file, reason),
}
const damaged = (file: string, reason: string): string =>
  `The database ${file} is damaged (${reason}); restore it from a backup, or use another folder with --data`
const full = (path: string): string => `The disk is full: ${path} cannot be written; free some space and start again`

/** Error codes that the machine causes. Not ENOENT, which can be a bug. */
const fromOutside = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOTDIR', 'EISDIR', 'ELOOP'])

/** `database`: named in errors of SQLite; `folder`: named in other errors that have no path. */
export function explainStart(error: unknown, { database, folder }: { database: string; folder: string }): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error
  if (error instanceof NewerVersionError) return new StartError(`${database}: ${error.message}`)
  const result = resultCodeOf(error)
  if (result !== null) {
    const describe = sentences[result] ?? (() => `${database} is not a Flightdeck database: ${error.message}`)
    return new StartError(describe(database, error.message))
  }
  const { code, path = folder } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(full(path))
  if (code === undefined || !fromOutside.has(code)) return error
  return new StartError(`${path} cannot be used: ${wordsOf(error)}`)
}

function wordsOf({ errno, message }: NodeJS.ErrnoException): string {
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message
}
