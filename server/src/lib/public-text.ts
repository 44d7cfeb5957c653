/**
 * Texts about failures that people other than the operator may read: they name no folder and no
 * file of the machine.
 */
import { getSystemErrorMap } from 'node:util'
import { trimEndChars } from '@flightdeck/api'
import { diskFailure } from './disk-failure.ts'
import { errorMessage } from './error-message.ts'

const hidden = '…'

/** A complete absolute path, as opposed to a part of a URL, a ref or a relative path. */
const barePath = /(?<![\w.:/@~+%*)\]}-])(?:file:\/\/)?\/[^\s'"`,;()<>|]+/g

/**
 * Node quotes the paths of a failed call:
 * `ENOENT: no such file or directory, rename '/data/a b' -> '/data/c'`.
 */
function withoutQuoted(line: string, mark: string): string {
  const start = line.indexOf(`${mark}/`)
  const end = line.lastIndexOf(mark)
  return start >= 0 && end > start ? `${line.slice(0, start + 1)}${hidden}${line.slice(end)}` : line
}

const withoutBare = (line: string): string =>
  line.replaceAll(barePath, (path) => `${hidden}${path.slice(trimEndChars(path, ':.').length)}`)

/** Replaces absolute paths by an ellipsis. */
export const withoutPaths = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutBare(["'", '"', '`'].reduce(withoutQuoted, line)))
    .join('\n')

/**
 * What a failed system call means. Node's own text is for developers: `ENOENT: no such file or
 * directory, open '/data/x'`. `null` for every other error.
 */
function systemFailure(error: unknown): string | null {
  if (!(error instanceof Error && 'errno' in error && typeof error.errno === 'number')) return null
  const reason = getSystemErrorMap().get(error.errno)?.[1]
  if (reason === undefined) return null
  const isSpawn = 'syscall' in error && typeof error.syscall === 'string' && error.syscall.startsWith('spawn')
  return isSpawn ? `a program could not be started (${reason})` : reason
}

/** SQLite's texts name tables, columns and statements. */
const databaseFailure = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
    ? 'the database cannot be read or written'
    : null

/**
 * The message of an error, for people: a failing disk is named in a sentence, and no text of Node's
 * or SQLite's is shown. The log gets the error itself.
 */
export const publicMessage = (error: unknown): string =>
  diskFailure(error) ?? systemFailure(error) ?? databaseFailure(error) ?? withoutPaths(errorMessage(error))
