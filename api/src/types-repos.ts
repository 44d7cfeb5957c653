/** Repositories and what belongs to them. */
import type * as z from 'zod/mini'
import type { repo, repoPatch } from './schema-repos.ts'
import type { Build } from './types-builds.ts'
import type { Permissions } from './types-people.ts'

type RepoFields = Omit<z.infer<typeof repo>, 'build' | 'permissions'>

/** Derived from its schema, where the fields are explained. */
export interface Repo extends RepoFields {
  /** Only in the lists "latest", "recent", "incomplete" and in events. */
  build?: Build
  /** Only in `GET /api/repos/{o}/{n}`; absent for guests and administrators without a row. */
  permissions?: Permissions
}
export type Visibility = Repo['visibility']
/** Settings of a repository, as far as they change. */
export type RepoPatch = z.infer<typeof repoPatch>

/** A repository that carries its build: items of the recent list and of `/api/stream` (docs/api §1.16). */
export type RepoWithBuild = Repo & { build: Build }

export interface Cron {
  id: number
  repo_id: number
  name: string
  expr: string
  next: number
  prev: number
  event: string
  branch: string
  target?: string
  disabled: boolean
  created: number
  updated: number
  version: number
  /** Ours alone: when it last could not start a build, and why. Absent once it has started one. */
  failed?: number
  error?: string
  /** Ours alone: the newest build that this job started. */
  last?: CronRun
}

/** The newest build of a cron job. */
export interface CronRun {
  number: number
  status: Build['status']
  created: number
}

/** When an expression comes due, in our own server's time zone. */
export interface CronTimes {
  /** Unix seconds, at most five. */
  times: number[]
  /** The IANA name, as `Europe/Berlin`. */
  zone: string
}

/** A secret as answers show it: never with its value. */
export interface Secret {
  id?: number
  repo_id?: number
  namespace?: string
  name?: string
  type?: string
  pull_request?: boolean
  pull_request_push?: boolean
  /** Ours alone: when it was last changed (unix seconds), and by which login. */
  updated?: number
  updated_by?: string
  /** Ours alone, of an organization's secret: repositories that have one of the same name. */
  overridden_in?: string[]
}

/** Which pipelines of a file use a secret. */
export interface SecretUse {
  name: string
  pipelines: string[]
}

/** The secrets that the newest build of the default branch uses. */
export interface SecretUses {
  /** Absent: no build of the default branch kept its file. */
  build?: number
  uses: SecretUse[]
}
