/**
 * The entities of the API as TypeScript types. Source: docs/api §1. Times are whole unix seconds, `0` = never.
 * A key with `?` is left out of answers when it is zero, false, empty or null.
 */
export type * from './types-people.ts'
export type * from './types-repos.ts'
export type * from './types-builds.ts'
export type * from './types-earlier.ts'
export type * from './types-changes.ts'
export type * from './types-retention.ts'

/** The body of every error answer (docs/api §0). */
export interface ErrorBody {
  message: string
}
