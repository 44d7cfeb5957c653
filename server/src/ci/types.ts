/**
 * The seams of the embedded CI: what `http` may ask of it (`Ci`), what a runner may ask of it (`RunnerManager`), and
 * the two parts both lean on (`EventBus`, `LogStore`). The built-in runner uses `RunnerManager` like a remote one would
 * over `/rpc/v2` (docs/api §7), so nothing a build does goes around it.
 */
import type { Build, Line, Repo, RepoWithBuild, Secret, Stage, Step, User } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import type { ChangedFile, GitCommit, GitReader } from './git-types.ts'

/** What became of a build that was at work when the server ended, in order or not. */
export const restartText = 'the server was restarted'

/** A refusal with the status and the text that the API answers. */
export class CiError extends Error {
  readonly status: number
  /** Seconds; for what may be tried again. */
  readonly retryAfter: number | undefined
  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.name = 'CiError'
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** A write with a stale `version` (docs/api §0 "optimistic lock"). */
export class OptimisticLockError extends CiError {
  constructor() {
    super(409, 'Optimistic Lock Error')
    this.name = 'OptimisticLockError'
  }
}

/** Build events, encoded once; every subscriber gets the same text (architecture.md "events"). */
export interface BuildEventMessage {
  repoId: number
  buildId: number
  slug: string
  visibility: Repo['visibility']
  /** One-line JSON of `RepoWithBuild`, stages and steps included (docs/api §1.16). */
  json: string
}
export interface EventBus {
  /**
   * The build has changed. It is told now, as `read` answers, or in a moment, as `later` answers then; read only if
   * somebody listens. Resolves when nothing more is to be done now, fails as `read` does.
   */
  publish(buildId: number, read: () => Promise<RepoWithBuild>, later?: () => Promise<RepoWithBuild>): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(listener: (message: BuildEventMessage) => void): () => void
  /** How many listen. */
  subscribers(): number
  /** Nothing is told or read any more once this resolves. */
  stop(): Promise<void>
}

/** How a saved log leaves the server: the bytes of the file as they are. */
export interface SavedLog {
  body: ReadableStream<Uint8Array>
  /** `gzip` when the bytes are compressed. */
  encoding: 'gzip' | 'identity'
  /** Bytes, where known. */
  size?: number
}

/** A whole log that nobody sees yet. */
export interface ReceivedLog {
  /** It is the log of the step from now on, and the live one ends. */
  keep(): Promise<void>
  drop(): Promise<void>
}

/**
 * One file per step. While it is written: `[{…}` then `\n,{…}`; at the end `]` and gzip. A line is in the file before
 * any reader sees it.
 */
export interface LogStore {
  /** Opens the live log of a step; an existing part of it is continued after its last whole row. */
  open(stepId: number): Promise<void>
  /** Appends, then tells followers in batches of at most 20 ms. Throws `CiError(500, 'stream: not found')` if not open. */
  append(stepId: number, lines: readonly Line[]): Promise<void>
  /** Closes the live log: `]`, gzip; followers end. No error if it is closed or absent. */
  close(stepId: number): Promise<void>
  /** Stores a whole log as it comes (a remote runner's upload); it counts once it is kept. */
  receive(stepId: number, content: AsyncIterable<Uint8Array>): Promise<ReceivedLog>
  /** `null` while the step is live or never had a log. */
  read(stepId: number): Promise<SavedLog | null>
  /** Waits until the step is no longer live, or the signal aborts. */
  closed(stepId: number, signal: AbortSignal): Promise<void>
  /** All lines from the start of the file, then live ones; ends when the log closes. `null` if not live. */
  follow(stepId: number, signal: AbortSignal): AsyncIterable<readonly Line[]> | null
  remove(stepId: number): Promise<void>
  /** How many follow each live log, by step id. */
  readers(): Record<string, number>
  /** At the end of the server: lets go of all live logs as they are. `recover` closes them at the next start. */
  stop(): Promise<void>
  /** At server start: cuts every unfinished file to its last whole row and closes it, save those of steps in `live`. */
  recover(live?: ReadonlySet<number>): Promise<void>
}

/** What a step shows beside its log (docs/api §8.1). */
export interface Card {
  /** Where a page finds how to draw it. */
  schema: string
  /** Any JSON, as a text. */
  data: string
}

/** What a runner sends to ask for work (docs/api §7.4). Empty strings match the defaults. */
export interface RunnerFilter {
  kind: string
  type: string
  os?: string
  arch?: string
  variant?: string
  kernel?: string
  labels?: Record<string, string>
}

/** What a runner is told about its stage (docs/api §7.5). */
export interface StageContext {
  build: Build
  stage: Stage
  repo: Repo
  /** 32 characters; encrypts inline secrets. */
  repoSecret: string
  /** The text of the pipeline file at the build's commit. */
  config: string
  /** Only those this build may see. */
  secrets: readonly (Secret & { name: string; data: string })[]
  system: { proto: string; host: string; link: string; version: string }
  /** Where the runner clones from: a folder on this machine for the built-in runner. */
  cloneFrom: string
}

/** Everything that a build does goes through here (architecture.md, flow 5; docs/api §7.3). */
export interface RunnerManager {
  /** Waits for a stage that fits; `null` when `signal` aborts first. */
  request(filter: RunnerFilter, signal: AbortSignal): Promise<Stage | null>
  /** Takes the stage for `machine`; `OptimisticLockError` if another was quicker. `remote`: it outlives this server. */
  accept(stageId: number, machine: string, options?: { remote?: boolean }): Promise<Stage>
  details(stageId: number): Promise<StageContext>
  /** Status pending or running = start (creates `stage.steps`), anything else = finish. Answers with ids and versions. */
  updateStage(stage: Stage): Promise<Stage>
  /** Status pending or running = start (opens the live log), anything else = finish (closes it). */
  updateStep(step: Step): Promise<Step>
  /** Resolves true as soon as the build is cancelled or done (at once if it already is), false when `signal` aborts. */
  watch(buildId: number, signal: AbortSignal): Promise<boolean>
  appendLog(stepId: number, lines: readonly Line[]): Promise<void>
}

/** A hook that a repository change, a person or the clock fires (docs/api §5.3 tells the fields per source). */
export interface Hook {
  event: Build['event']
  action?: string
  trigger: string
  /** The login of who pressed a button. */
  actor?: string
  sender?: string
  ref: string
  source: string
  target: string
  before: string
  after: string
  message?: string
  title?: string
  link?: string
  sourceRepo?: string
  author?: { login: string; name: string; email: string; avatar: string }
  params?: Record<string, string>
  parent?: number
  cron?: string
  deployTo?: string
  debug?: boolean
  /** What the reader of the build should know about how it came to be; stands where an error would. */
  note?: string
}

/** Where a hook comes from, if that is not a person or the clock. */
export interface HookSource {
  /** To read the commit with. */
  git: GitReader
  /** Takes what the hook is about as dealt with, in the transaction that makes the build. False: there must be none. */
  take(tx: Db): Promise<boolean>
}

/** What `http` may ask. Refusals are `CiError`s with the API's status and text. `null` = the trigger was skipped. */
export interface Ci {
  readonly events: EventBus
  readonly logs: LogStore
  readonly runners: RunnerManager
  /** POST builds: event `custom`. */
  start(
    repo: Repo,
    input: { branch?: string; commit?: string; message?: string; action?: string; params: Record<string, string> },
    by: User,
  ): Promise<Build | null>
  restart(
    repo: Repo,
    number: number,
    input: { debug: boolean; params: Record<string, string> },
    by: User,
  ): Promise<Build | null>
  /** Promote or roll back. */
  deploy(
    repo: Repo,
    number: number,
    input: { event: 'promote' | 'rollback'; target: string; params: Record<string, string> },
    by: User,
  ): Promise<Build | null>
  runCron(repo: Repo, name: string, by: User): Promise<Build | null>
  /** Answers the build with stages and steps; unchanged if it was done. */
  cancel(repo: Repo, number: number, by: User): Promise<Build>
  approve(repo: Repo, number: number, stage: number, by: User): Promise<void>
  /** Without a stage: all of them. */
  decline(repo: Repo, number: number, stage: number | undefined, by: User): Promise<void>
  /** Reads the repositories again for this user; resolves when done. `users.syncing` tells meanwhile. */
  sync(user: User): Promise<void>
  /** Activates: owner, config path, timeout, signer and secret are filled in where empty (docs/api §2.3). */
  enable(repo: Repo, by: User): Promise<Repo>
  disable(repo: Repo): Promise<Repo>
  /** Fails as the reference server's database does if the step has one. */
  addCard(step: Step, card: Card): Promise<void>
  /** The signature of a pipeline file, made with `secret` (docs/api §6.6). Throws `ConfigError` where it is none. */
  sign(repo: Repo, file: string, secret: string): Promise<string>
  /** What is pending stays so, until the queue is resumed or the server starts again (docs/api §2.8). */
  pauseQueue(): void
  resumeQueue(): void
  /** For the page of a commit. Throws a 404 if the repository has no such commit. */
  commit(repo: Repo, refOrSha: string): Promise<CommitDetails>
  /** The full sha of the commit that a ref or a sha names. Throws the same 404. */
  commitSha(repo: Repo, refOrSha: string): Promise<string>
}

export interface CommitDetails extends GitCommit {
  /** Against the first parent; the first ones of very many. */
  files: readonly ChangedFile[]
  /** There are more. */
  cut: boolean
}
