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
  /** Flightdeck only: the login of the user who started or restarted it manually; the author is the commit's. */
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
  /** Flightdeck only: it reruns a part of its parent; the other stages are reused from the parent. */
  again?: Again
  /** Ours alone, in the answer to one build: the lines of its file that its error names. */
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
  /** Flightdeck only: settings in its file that have no effect, such as `services` of an exec pipeline. */
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

/** The most relevant error line of a failed step, found by the server when the log was complete. */
export interface BuildCause {
  /** The numbers of stage and step, and their names. */
  stage: number
  step: number
  stage_name: string
  step_name: string
  /** Its number in the log, from 1. */
  line: number
  /** The line, or for a failed test its name and what is wrong. At most 300 characters. */
  text: string
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

/** What the file says of one stage, as written: before variables are replaced. */
export interface StageCommands {
  /** The name of the stage. */
  stage: string
  /** YAML: volumes, platform and all other settings of the stage except its steps; secrets by name. Absent if there are none. */
  settings?: string
  steps: StepCommands[]
  /** Containers that run beside the steps. */
  services?: StepCommands[]
  /** The file holds more of it than is answered. */
  cut?: boolean
}

export interface StepCommands {
  name: string
  image?: string
  commands: string[]
  /** By name; a secret as `{from_secret}`. The pipeline's variables and the step's own. */
  environment?: Record<string, string | { from_secret: string }>
  /** YAML: a plugin's settings, volumes, `privileged` and all other settings; secrets by name. */
  settings?: string
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/builds/{number}/details`. */
export interface BuildDetails {
  file?: PipelineText
  /** Pipelines of the file that have no stage. */
  left_out?: LeftOut[]
  /** What each stage runs that waits for approval. Missing where no stage waits, or where the file cannot be read. */
  waiting_stages?: StageCommands[]
  /** The pipeline file that was approved last, and of which build. Only where stages wait. */
  approved?: { build: number; text: string }
  /** The builds that are copies of one another, this one among them; the newest first. */
  attempts: Attempt[]
}

export interface Attempt extends Build {
  /** The names of the stages that it has from another one; the first ones of very many. */
  taken_over?: string[]
}

/** Ours alone: builds that meet a filter, newest first. */
export interface FilteredBuilds {
  items: Build[]
  /** The cursor of the next page, which has builds with a lower number. Absent on the last page. */
  next?: number
}

/** Ours alone: how many builds a filter finds. */
export type BuildCounts = Json<'BuildCounts'>

/** Ours alone: a build as the strip of a repository's last builds shows it. */
export type LastBuild = Json<'LastBuild'>
export type RepoLastBuilds = Json<'RepoLastBuilds'>
