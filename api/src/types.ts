/**
 * The entities of the API as TypeScript types. Source: docs/api §1. Times are whole unix seconds, `0` = never.
 * A key with `?` is left out of answers when it is zero, false, empty or null.
 */

import type { Ended, LeftOut, Waiting } from './reasons.ts'
import type { BuildEvent, Status } from './status.ts'

export type Visibility = 'public' | 'private' | 'internal'

export interface User {
  id: number
  login: string
  email: string
  machine: boolean
  admin: boolean
  active: boolean
  /** Address of a picture; may be empty. */
  avatar: string
  /** The list of repositories is being read again. */
  syncing: boolean
  synced: number
  created: number
  updated: number
  last_login: number
  /** Ours alone: can sign in with a password. Another server sends no such key. */
  has_password?: boolean
  /** Ours alone: in front of another server, where one token signs everybody's calls. What it lets them do. */
  shared_token?: 'reads' | 'writes'
}

/** Ours alone: a link that sets a password once. Shown when it is made and never again (issue 6, point 3). */
export interface Invitation {
  /** The value stands in the fragment, which no server gets to see and no log holds. */
  url: string
  expires: number
}

/** Answer of `POST /api/users`: machines have a token, people an invitation. */
export interface CreatedUser extends User {
  token?: string
  invitation?: Invitation
}

/** Answer of `POST /api/user/token`, and of creating a machine user (docs/api §1.2). */
export interface UserWithToken extends User {
  token: string
}

export interface Permissions {
  read: boolean
  write: boolean
  admin: boolean
}

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

export interface Build {
  id: number
  repo_id: number
  /** `@hook`, `@cron` or a login; empty on configuration errors. */
  trigger: string
  number: number
  /** The *number* of the source build of a restart, promotion or rollback. */
  parent?: number
  status: Status
  error?: string
  event: BuildEvent
  action: string
  link: string
  timestamp: number
  title?: string
  message: string
  before: string
  after: string
  ref: string
  source_repo: string
  source: string
  target: string
  author_login: string
  author_name: string
  author_email: string
  author_avatar: string
  sender: string
  params?: Record<string, string>
  cron?: string
  deploy_to?: string
  deploy_id?: number
  debug?: boolean
  started: number
  finished: number
  created: number
  updated: number
  version: number
  /** Ours alone: the login of who started it by hand, as a copy or anew; the author is who made the commit. */
  actor?: string
  /** Ours alone: when and by whom it was cancelled. Without a name the server did it. */
  canceled?: number
  canceled_by?: string
  /** Ours alone: when and by whom its first stage was declined. */
  declined?: number
  declined_by?: string
  /** Ours alone: only while nothing of it runs. */
  waiting?: Waiting
  /** Ours alone: only when something else than its own steps ended it. */
  ended?: Ended
  /** Ours alone: it runs a part of its parent anew; the other stages are the parent's. */
  again?: Again
  /** Ours alone, in the answer to one build: the lines of its file that its error names. */
  excerpts?: Excerpt[]
  /** Ours alone, also in lists: why it failed, as far as its first failed step's log tells. */
  cause?: BuildCause
  stages?: Stage[]
}

/** The line that tells most of why a step failed, found by the server when its log was complete. */
export interface BuildCause {
  /** The numbers of stage and step, and their names. */
  stage: number
  step: number
  stage_name: string
  step_name: string
  /** Its number in the log, from 1. */
  line: number
  /** At most 300 characters, as one reads them. */
  text: string
}

/** Seconds that something took lately: the middle, and the range of eight in ten. */
export interface UsualTime {
  count: number
  median: number
  low: number
  high: number
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/builds/{number}/usual`; what has too few cases is left out. */
export interface UsualTimes {
  build?: UsualTime
  steps: (UsualTime & { stage: string; step: string })[]
}

/** How long a step of a stage took in one build. */
export interface StepRun {
  /** The build's number. */
  build: number
  seconds: number
  passed: boolean
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/times?branch=`: the newest 500 builds of a branch, as far as 10,000 runs of steps go. */
export interface RepoTimes {
  branch: string
  /** The oldest first, as the runs. */
  builds: { number: number; commit: string; created: number }[]
  /** Those with the most runs, 200 at most; those that were cancelled or skipped do not count. */
  steps: { stage: string; step: string; runs: StepRun[] }[]
}

/** A failed step, in whichever repository. */
export interface FailedPlace {
  slug: string
  number: number
  stage: number
  step: number
  created: number
}

/** What is known of a failed step from before; what has too few cases is left out. */
export interface StepHistory {
  stage: number
  step: number
  /** Builds that failed with the same line, this one among them, in repositories that the reader may see. */
  seen?: {
    times: number
    /** There are more than were counted. */
    more?: true
    repos: number
    since: number
    /** The newest before this one. */
    places: FailedPlace[]
    /** The build with which it last went away, and its commit. */
    ended?: { slug: string; number: number; commit: string }
  }
  /** The last runs of the step on its branch, or on `branch`: those that failed, this one among them, and those that passed. */
  runs?: {
    branch?: string
    count: number
    failed: number
    /** Commits on which it failed and passed, with nothing else changed. */
    mixed: { commit: string; failed: number; passed: number }[]
  }
}

/** Ours alone: answer of `GET …/builds/{number}/history`; the first ten steps that failed. */
export interface BuildHistory {
  steps: StepHistory[]
}

/** Which part of a build is to run again: what did not pass with what needs it, or one stage. */
export type Again = { only: 'failed' } | { stage: string }

/** A line of a file with its neighbours, each as far as people read. */
export interface Excerpt {
  /** The one that is meant, from 1. */
  line: number
  lines: { number: number; text: string }[]
}

/** A pipeline file as it was at a build's commit. */
export interface PipelineText {
  path: string
  commit: string
  text: string
  /** There is more. */
  cut?: boolean
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/builds/{number}/details`. */
export interface BuildDetails {
  file?: PipelineText
  /** Pipelines of the file that have no stage. */
  left_out?: LeftOut[]
  /** The builds that are copies of one another, this one among them; the newest first. */
  attempts: Attempt[]
}

export interface Attempt extends Build {
  /** The names of the stages that it has from another one; the first ones of very many. */
  taken_over?: string[]
}

/**
 * Ours alone: answer of `GET …/builds/{number}/logs/{stage}/{step}/known`: where the step last passed, on this branch or else
 * on the default branch, and what lines its log had there. 404 where it never did.
 */
export interface KnownLines {
  build: number
  stage: number
  step: number
  /** Base 64 of a fingerprint (`readFingerprint` of @flightdeck/cause). */
  lines: string
}

/** A commit as lists show it. */
export interface ListedCommit {
  sha: string
  /** The first line of its message. */
  title: string
  author: string
  /** Unix seconds. */
  time: number
}

/** With what it changed; a merge changes nothing of its own. */
export interface ChangedBy extends ListedCommit {
  merge?: true
  /** The first hundred. */
  files: string[]
  /** How many there are; missing where git was not given the time to tell. */
  total?: number
}

/**
 * Ours alone: answer of `GET …/builds/{number}/changes/{stage}/{step}`: what is another since the step last passed, on this
 * branch or else on the default branch. 404 where it never did.
 */
export interface StepChanges {
  since: { build: number; stage: number; step: number; ref: string; commit: string }
  /** The newest first; missing where git does not know both commits any more, or was not given the time. */
  commits?: ChangedBy[]
  /** There are more than these. */
  more?: true
  /** Commits that the green build had and this one has not: it is of an older commit, or the branch was written anew. */
  without?: number
  /** The pipeline file; missing where one of them was not kept. */
  file?: { path: string; same: true } | { path: string; same: false; line: number }
}

/** Ours alone: answer of `GET …/builds/{number}/source`: a part of a file at the commit of the build. 404: there is none. */
export type SourceFile =
  | {
      kind: 'text'
      path: string
      commit: string
      /** The number of the first of `lines`, from 1. */
      from: number
      /** Long ones are cut. */
      lines: string[]
      /** How many the whole file has. */
      total: number
    }
  /** It has no lines that could be shown. */
  | { kind: 'binary' | 'large' | 'link' | 'submodule' | 'folder'; path: string; commit: string }
  /** Only the end of a path was given, and these have it; at most ten. */
  | { kind: 'several'; paths: string[]; commit: string }

/** Ours alone: answer of `GET …/builds/{number}/authors/{stage}/{step}`: who changed the lines last that `source` tells. */
export interface SourceAuthors {
  path: string
  /** Where the step last passed; missing where it never did. */
  since?: { build: number; commit: string }
  from: number
  /** For each line the place of its commit in `commits`; empty where git was not given the time to tell. */
  lines: number[]
  commits: SourceCommit[]
}

export interface SourceCommit extends ListedCommit {
  /** Whether it came after the green build; missing where that is not known. */
  after?: boolean
  /** What was before it is not in the repository: it, or an earlier one. */
  earliest?: true
}

export interface Stage {
  id: number
  repo_id: number
  build_id: number
  /** From 1, within the build. */
  number: number
  name: string
  kind?: string
  type?: string
  status: Status
  error?: string
  errignore: boolean
  exit_code: number
  machine?: string
  os: string
  arch: string
  variant?: string
  kernel?: string
  limit?: number
  throttle?: number
  started: number
  /** Builds end with `finished`, stages and steps with `stopped`. */
  stopped: number
  created: number
  updated: number
  version: number
  on_success: boolean
  on_failure: boolean
  depends_on?: string[]
  labels?: Record<string, string>
  /** Ours alone: when and by whom it was approved; in a copy it is the word that was given before. */
  approved?: number
  approved_by?: string
  /** Ours alone. */
  declined?: number
  declined_by?: string
  /** Ours alone: only while it waits. */
  waiting?: Waiting
  /** Ours alone. */
  ended?: Ended
  /** Ours alone, in the answer to one build: the line of the pipeline file that `error` is about. */
  excerpts?: Excerpt[]
  /** Ours alone: the number of the build in which it ran; its times, steps and logs are from there. */
  taken_over?: number
  /** Ours alone: what stands in its file and has no effect, such as `services` of a pipeline of type exec. */
  ignored?: string[]
  /** Ours alone: steps that their conditions leave out. */
  left_out?: LeftOut[]
  steps?: Step[]
}

export interface Step {
  id: number
  /** The id of the *stage* (a misnomer that clients rely on, docs/api §1.6). */
  step_id: number
  /** From 1, within the stage. */
  number: number
  name: string
  status: Status
  error?: string
  errignore?: boolean
  exit_code: number
  started?: number
  stopped?: number
  version: number
  depends_on?: string[]
  image?: string
  detached?: boolean
  schema?: string
  /** Ours alone: only while its stage runs and it does not. */
  waiting?: Waiting
  /** Ours alone. */
  ended?: Ended
}

/** One entry of a log (docs/api §1.7): normally one line with its `\n`, but a chunk may hold less or more. */
export interface Line {
  /** From 0; may begin above 0 where a runner dropped the oldest lines. */
  pos: number
  out: string
  /** Whole seconds since the step's log began. */
  time: number
  /** Ours alone: tenths of a second beyond them, 0 to 9. */
  tenth?: number
  /** Ours alone, of the first entry: when the log began, in Unix milliseconds. */
  began?: number
}

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

export interface Collaborator extends Permissions {
  user_id: number
  /** The repository's `uid`. */
  repo_id: string
  login: string
  avatar: string
  synced: number
  created: number
  updated: number
}

/** Rights on a repository, each holding the ones below it. */
export type Role = 'read' | 'write' | 'admin'

/** The body of every error answer (docs/api §0). */
export interface ErrorBody {
  message: string
}
