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
 * The duplicates that Drone answers with SQLite's message, which clients know (docs/api §2). No
 * other text of SQLite's is public.
 */
const duplicates: ReadonlySet<string> = new Set(
  [
    'users.user_login',
    'secrets.secret_repo_id, secrets.secret_name',
    'orgsecrets.secret_namespace, orgsecrets.secret_name',
    'cron.cron_repo_id, cron.cron_name',
    'cards.card_id',
  ].map((columns) => `UNIQUE constraint failed: ${columns}`),
)

/**
 * Status and text of any thrown error; `null` for a failure whose text is not public. `ci` and
 * `store` throw errors with a status.
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
  return duplicates.has(error.message) ? { status: 500, message: error.message } : null
}

/**
 * The message for the caller of a failed request: only disk failures are described, since a person
 * can fix them.
 */
export const failureOf = (error: unknown): RefusedAs => ({
  status: 500,
  message: storageFailure(error) ?? 'Internal Server Error',
})
