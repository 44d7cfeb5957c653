/** Repositories and what belongs to them. */
import type { Build } from './types-builds.ts'
import type { Permissions } from './types-people.ts'

export type Visibility = 'public' | 'private' | 'internal'

export interface Repo {
  id: number
  uid: string
  user_id: number
  namespace: string
  name: string
  /** `namespace/name` */
  slug: string
  scm: string
  git_http_url: string
  git_ssh_url: string
  link: string
  default_branch: string
  private: boolean
  visibility: Visibility
  active: boolean
  config_path: string
  trusted: boolean
  protected: boolean
  ignore_forks: boolean
  ignore_pull_requests: boolean
  auto_cancel_pull_requests: boolean
  auto_cancel_pushes: boolean
  auto_cancel_running: boolean
  /** Minutes. */
  timeout: number
  throttle?: number
  /** The last build number that was handed out. */
  counter: number
  synced: number
  created: number
  updated: number
  version: number
  /** Only in the lists "latest", "recent", "incomplete" and in events. */
  build?: Build
  /** Only in `GET /api/repos/{o}/{n}`; absent for guests and administrators without a row. */
  permissions?: Permissions
  archived: boolean
  /** Ours alone: whoever knows its address may see the badge, although the repository is hidden from him. */
  public_badge?: boolean
}

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
}
