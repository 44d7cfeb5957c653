/** Deployment environments of a repository: ours alone. */
import type { ChangedBy } from './types-changes.ts'
import type { CommitFile } from './commits.ts'
import type { Build } from './types-builds.ts'

/** `writers`: each person with write permission. `administrators`: of the repository or the system. */
export type Deployers = 'writers' | 'administrators' | 'people'

/** What protects an environment. */
export interface EnvironmentRule {
  name: string
  who: Deployers
  /** Logins; only with `people`. */
  people?: string[]
  /** Each deployment waits for an approval before it runs. */
  approval: boolean
}

/** Answer of `GET /api/repos/{namespace}/{name}/environments/{environment}`. */
export interface Environment {
  name: string
  /** The newest deployment that succeeded: what the environment holds now. */
  current?: Build
  /** The newest commit of the branch that `current` was built from; absent where git does not know it. */
  head?: { branch: string; sha: string }
  /** Deployments, newest first. */
  items: Build[]
  /** The cursor of the next page, which has builds with a lower number. Absent on the last page. */
  next?: number
  rule?: EnvironmentRule
  /** Whether the caller may deploy here. */
  may_deploy: boolean
}

/** Answer of `GET /api/repos/{namespace}/{name}/compare`: what `to` has that `from` has not. */
export interface Comparison {
  from: string
  to: string
  /** The newest first; absent where git was too slow. */
  commits?: ChangedBy[]
  /** There are more than these. */
  more?: boolean
  /** Commits of `from` that `to` does not have. */
  without?: number
  /** The files that differ, the first thousand; absent where git was too slow. */
  files?: CommitFile[]
  /** How many there are; absent where git was stopped before. */
  total?: number
}
