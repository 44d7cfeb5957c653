/** Builds, their stages, steps and logs. */
import type { Ended, LeftOut, Waiting } from './reasons.ts'
import type { Json } from './schemas.ts'
import type { BuildEvent, Status } from './status.ts'

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
  /**
   * Flightdeck only: the login of the user who started or restarted it manually; the author is the
   * commit's.
   */
  actor?: string
  /** Flightdeck only: when and by whom it was canceled. Without a login, the server canceled it. */
  canceled?: number
  canceled_by?: string
  /** Flightdeck only: when and by whom its first stage was declined. */
  declined?: number
  declined_by?: string
  /** Flightdeck only, and only while nothing of the build is running. */
  waiting?: Waiting
  /** Flightdeck only, and only if something other than its own steps ended it. */
  ended?: Ended
  /**
   * Flightdeck only: it reruns a part of its parent; the other stages are reused from the parent.
   */
  again?: Again
  /**
   * Flightdeck only, in the response for a single build: the lines of the pipeline file that its
   * error names.
   */
  excerpts?: Excerpt[]
  /** Flightdeck only, also in lists: why it failed, from the log of its first failed step. */
  cause?: BuildCause
  stages?: Stage[]
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
  /** The end time. (For builds, the field is `finished`.) */
  stopped: number
  created: number
  updated: number
  version: number
  on_success: boolean
  on_failure: boolean
  depends_on?: string[]
  labels?: Record<string, string>
  /** Flightdeck only: when and by whom it was approved; in a rerun, the earlier approval. */
  approved?: number
  approved_by?: string
  /** Flightdeck only. */
  declined?: number
  declined_by?: string
  /** Flightdeck only, and only while it is waiting. */
  waiting?: Waiting
  /** Flightdeck only. */
  ended?: Ended
  /**
   * Flightdeck only, in the response for a single build: the line of the pipeline file that `error`
   * is about.
   */
  excerpts?: Excerpt[]
  /**
   * Flightdeck only: the number of the build in which it ran. Its times, steps and logs are from
   * that build.
   */
  taken_over?: number
  /**
   * Flightdeck only: settings in its file that have no effect, such as `services` of an exec
   * pipeline.
   */
  ignored?: string[]
  /** Flightdeck only: steps that their conditions exclude. */
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
  /** Flightdeck only, and only while its stage is running and the step is not. */
  waiting?: Waiting
  /** Flightdeck only. */
  ended?: Ended
}

/** A log entry (docs/api §1.7): usually one line with its `
`, but a chunk can hold less or more. */
export interface Line {
  /** From 0; starts higher if a runner dropped the oldest lines. */
  pos: number
  out: string
  /** Whole seconds since the step's log started. */
  time: number
  /** Flightdeck only: the tenths of a second, 0 to 9. */
  tenth?: number
  /** Flightdeck only, on the first entry: when the log started, in Unix milliseconds. */
  began?: number
}

/** The most relevant error line of a failed step. The server finds it when the log is complete. */
export interface BuildCause {
  /** The numbers and names of the stage and the step. */
  stage: number
  step: number
  stage_name: string
  step_name: string
  /** Its line number in the log, from 1. */
  line: number
  /** The line; for a failed test, its name and message. At most 300 characters. */
  text: string
}

/**
 * The part of a build to rerun: everything that did not pass, with its dependents, or one stage.
 */
export type Again = { only: 'failed' } | { stage: string }

/** A line of a file with its neighbors. Long lines are truncated. */
export interface Excerpt {
  /** The number of the line, from 1. */
  line: number
  lines: { number: number; text: string }[]
}

/** A pipeline file at a build's commit. */
export interface PipelineText {
  path: string
  commit: string
  text: string
  /** The text is truncated. */
  cut?: boolean
}

/** A stage as written in the pipeline file, before variables are replaced. */
export interface StageCommands {
  /** The name of the stage. */
  stage: string
  /**
   * YAML: volumes, platform and all other settings except the steps; secrets by name. Absent if
   * there are none.
   */
  settings?: string
  steps: StepCommands[]
  /** Containers that run beside the steps. */
  services?: StepCommands[]
  /** The response is truncated. */
  cut?: boolean
}

export interface StepCommands {
  name: string
  image?: string
  commands: string[]
  /** The variables of the pipeline and of the step, by name; a secret as `{from_secret}`. */
  environment?: Record<string, string | { from_secret: string }>
  /** YAML: a plugin's settings, volumes, `privileged` and all other settings; secrets by name. */
  settings?: string
}

/** Flightdeck only: the response of `GET /api/repos/{namespace}/{name}/builds/{number}/details`. */
export interface BuildDetails {
  file?: PipelineText
  /** Pipelines of the file that have no stage in this build. */
  left_out?: LeftOut[]
  /**
   * The commands of each stage that waits for approval. Absent if there is none, or the file cannot
   * be read.
   */
  waiting_stages?: StageCommands[]
  /** The last approved pipeline file, and its build. Only while stages wait. */
  approved?: { build: number; text: string }
  /** This build and its reruns, newest first. */
  attempts: Attempt[]
}

export interface Attempt extends Build {
  /** The names of its reused stages; limited in number. */
  taken_over?: string[]
}

/** Flightdeck only: builds that match a filter, newest first. */
export interface FilteredBuilds {
  items: Build[]
  /** The cursor of the next page, which has builds with a lower number. Absent on the last page. */
  next?: number
}

/** Flightdeck only: the number of builds that match a filter. */
export type BuildCounts = Json<'BuildCounts'>

/** Flightdeck only: a build in the strip of a repository's last builds. */
export type LastBuild = Json<'LastBuild'>
export type RepoLastBuilds = Json<'RepoLastBuilds'>
