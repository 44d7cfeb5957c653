/** Every refusal is thrown and becomes one JSON body here (docs/api §0 "error body"). */
import { texts } from '@flightdeck/api'
import { withoutPaths } from '../lib/public-text.ts'
import { Refusal } from '../lib/refusal.ts'
import { storageFailure } from '../store/errors.ts'

export const notFound = (): Refusal => new Refusal(404, texts.notFound)
/** The row that a handler needs does not exist. */
export const noRows = (): Refusal => new Refusal(404, texts.noRows)

/** The value, or the 404 of a missing row. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw noRows()
  return value
}

export interface RefusedAs {
  status: number
  message: string
  /** Seconds. */
  retryAfter?: number
}

/**
 * Status and text of any thrown error; `null` for a failure whose text is not public. `ci` and
 * `store` throw errors with a status; a duplicate returns SQLite's message, which clients know
 * (docs/api §9.6).
 */
export function refusalOf(error: unknown): RefusedAs | null {
  if (!(error instanceof Error)) return null
  if ('status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 600) {
    const { status } = error
    // A failure may name a folder or a file of the machine; a refusal of a request repeats what was
    // asked.
    const message = status >= 500 ? withoutPaths(error.message) : error.message
    const isLater = 'retryAfter' in error && typeof error.retryAfter === 'number'
    return { status, message, ...(isLater && { retryAfter: error.retryAfter as number }) }
  }
  return error.message.startsWith('UNIQUE constraint failed') ? { status: 500, message: error.message } : null
}

/**
 * The message for the caller of a failed request: only disk failures are described, since a person
 * can fix them.
 */
export const failureOf = (error: unknown): RefusedAs => ({
  status: 500,
  message: storageFailure(error) ?? 'Internal Server Error',
})
