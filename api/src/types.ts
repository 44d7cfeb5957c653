/**
 * The entities of the API as TypeScript types. Source: docs/api §1. Times are in Unix seconds, `0`
 * for never. A key with `?` is omitted when it is zero, false, empty or null.
 */
export type * from './types-people.ts'
export type * from './types-repos.ts'
export type * from './types-builds.ts'
export type * from './types-earlier.ts'
export type * from './types-changes.ts'
export type * from './types-retention.ts'

/** The body of every error response (docs/api §0). */
export interface ErrorBody {
  message: string
}
