/** Flightdeck only: deployment environments of a repository. */
import type { ChangedBy } from './types-changes.ts'
import type { CommitFile } from './commits.ts'
import type { Build } from './types-builds.ts'

/** `writers`: everyone with write access. `administrators`: of the repository or the system. */
export type Deployers = 'writers' | 'administrators' | 'people'

/** The protection of an environment. */
export interface EnvironmentRule {
  name: string
  who: Deployers
  /** Logins; only with `people`. */
  people?: string[]
  /** Each deployment needs an approval before it runs. */
  approval: boolean
}

/** The response of `GET /api/repos/{namespace}/{name}/environments/{environment}`. */
export interface Environment {
  name: string
  /** The newest successful deployment, which the environment runs now. */
  current?: Build
  /**
   * The newest commit of the branch that `current` was built from; absent if git does not know it.
   */
  head?: { branch: string; sha: string }
  /** Deployments, newest first. */
  items: Build[]
  /** The cursor of the next page, which has builds with a lower number. Absent on the last page. */
  next?: number
  rule?: EnvironmentRule
  /** Whether this user can deploy here. */
  may_deploy: boolean
}

/** The response of `GET /api/repos/{namespace}/{name}/compare`: what `to` has and `from` lacks. */
export interface Comparison {
  from: string
  to: string
  /** Newest first; absent if git timed out. */
  commits?: ChangedBy[]
  /** The list is truncated. */
  more?: boolean
  /** The number of commits that `from` has and `to` lacks. */
  without?: number
  /** The changed files, at most 1,000; absent if git timed out. */
  files?: CommitFile[]
  /** The total number; absent if git timed out. */
  total?: number
}
