/** The top of a long list of repositories, which our own server answers alone to who takes it. */
import type { Repo } from './types.ts'

/** A media type by which a page says that it takes the top of a long list, and asks for the rest in parts. */
export const topType = 'application/vnd.flightdeck.top+json'

/** What `GET /api/user/repos?latest=true` answers to who takes it, of a list that is long. */
export interface TopOfRepos {
  total: number
  active: number
  /** Those that a dashboard shows first, whole. */
  repos: Repo[]
  /** Another name if other repositories are in the list, or in another order. */
  list: string
  /** `GET /api/user/repos/parts/{0 … parts - 1}?list={list}`: `RepoColumns[]` each. */
  parts: number
}
