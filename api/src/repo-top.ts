/**
 * The top of a long repository list, which Flightdeck's own server returns alone to clients that
 * accept it.
 */
import type { Repo } from './types.ts'

/**
 * The media type in a page's `Accept` header that requests only the top of a long list; the rest is
 * fetched in parts.
 */
export const topType = 'application/vnd.flightdeck.top+json'

/** The response of `GET /api/user/repos?latest=true` for a long list, if the client accepts it. */
export interface TopOfRepos {
  total: number
  active: number
  /** The repositories that the dashboard shows first, with all fields. */
  repos: Repo[]
  /** Identifies the content and order of the list; changes with them. */
  list: string
  /** `GET /api/user/repos/parts/{0 … parts - 1}?list={list}`: `RepoColumns[]` each. */
  parts: number
}
