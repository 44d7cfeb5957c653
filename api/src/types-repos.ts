/** Repositories and their settings, cron jobs and secrets. */
import type * as z from 'zod/mini'
import type { repo, repoPatch } from './schema-repos.ts'
import type { Build } from './types-builds.ts'
import type { Permissions } from './types-people.ts'

type RepoFields = Omit<z.infer<typeof repo>, 'build' | 'permissions'>

/** Derived from its schema, which documents the fields. */
export interface Repo extends RepoFields {
  /** Only in the lists "latest", "recent" and "incomplete", and in events. */
  build?: Build
  /**
   * Only in `GET /api/repos/{o}/{n}`; absent for guests, and for administrators without a role on
   * the repository.
   */
  permissions?: Permissions
}
export type Visibility = Repo['visibility']
/** A change of a repository's settings. */
export type RepoPatch = z.infer<typeof repoPatch>

/**
 * A repository with its build: an item of the recent list or an event of `/api/stream` (docs/api
 * §1.16).
 */
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
  /**
   * Flightdeck only: when it last failed to start a build, and why. Absent once a build has
   * started.
   */
  failed?: number
  error?: string
  /** Flightdeck only: the newest build of this job. */
  last?: CronRun
}

/** The newest build of a cron job. */
export interface CronRun {
  number: number
  status: Build['status']
  created: number
}

/** The next runs of a cron expression, in the server's time zone. */
export interface CronTimes {
  /** Unix seconds, at most five. */
  times: number[]
  /** The IANA name, for example `Europe/Berlin`. */
  zone: string
}

/** A secret, without its value. */
export interface Secret {
  id?: number
  repo_id?: number
  namespace?: string
  name?: string
  type?: string
  pull_request?: boolean
  pull_request_push?: boolean
  /** Flightdeck only: when it was last changed (Unix seconds), and the login. */
  updated?: number
  updated_by?: string
  /** Flightdeck only, for an organization's secret: repositories with a secret of the same name. */
  overridden_in?: string[]
}

/** The pipelines of a file that use a secret. */
export interface SecretUse {
  name: string
  pipelines: string[]
}

/** The secrets that the newest build of the default branch uses. */
export interface SecretUses {
  /** Absent if the server has no pipeline file of a build of the default branch. */
  build?: number
  uses: SecretUse[]
}
