/** The embedded CI as `http` sees it. */
import type {
  Again,
  Build,
  BuildDetails,
  Commit,
  Comparison,
  Cron,
  CronInput,
  CronTimes,
  Repo,
  RunnersState,
  Retention,
  RetentionPatch,
  SecretUses,
  SourceAuthors,
  SourceFile,
  Stage,
  Step,
  StepChanges,
  User,
} from '@flightdeck/api'
import type { EventBus } from './events.ts'
import type { RightsCheck } from './hook.ts'
import type { LogStore } from './logs.ts'
import type { Card, RunnerManager } from './runner.ts'

export interface StepKey {
  repo: Repo
  number: number
  stage: number
  step: number
}

/** A path as printed by tools. */
export interface NamedLine {
  path: string
  line: number
}

/**
 * What `http` may ask. Refusals are `Refusal`s with the API's status and text. `null` = the trigger
 * was skipped. `stillMay` is asked when a build is made or changed.
 */
export interface Ci {
  readonly events: EventBus
  readonly logs: LogStore
  readonly runners: RunnerManager
  /** POST builds: event `custom`. */
  start(
    repo: Repo,
    input: { branch?: string; commit?: string; message?: string; action?: string; params: Record<string, string> },
    by: User,
    stillMay?: RightsCheck,
  ): Promise<Build | null>
  restart(
    repo: Repo,
    number: number,
    input: { debug: boolean; params: Record<string, string> },
    by: User,
    stillMay?: RightsCheck,
  ): Promise<Build | null>
  /**
   * Reruns a part of a finished build as a new build that reuses the other stages. If the same part
   * is already running, returns that build.
   */
  again(repo: Repo, number: number, again: Again, by: User, stillMay?: RightsCheck): Promise<Build | null>
  /** Promote or roll back. */
  deploy(
    repo: Repo,
    number: number,
    input: { event: 'promote' | 'rollback'; target: string; params: Record<string, string> },
    by: User,
    stillMay?: RightsCheck,
  ): Promise<Build | null>
  /** A person with write access. */
  mayDeploy(repo: Repo, environment: string, user: User): Promise<boolean>
  runCron(repo: Repo, name: string, by: User, stillMay?: RightsCheck): Promise<Build | null>
  /** Removes the builds with a lower number than `before`; running builds are canceled first. */
  purge(repo: Repo, before: number, by: User): Promise<void>
  /** Returns the job as stored. Refuses with the texts of docs/api §2.5. */
  createCron(repo: Repo, input: CronInput): Promise<Cron>
  /** `before` is the stored state. Does not catch up on runs missed while the job was disabled. */
  changeCron(before: Cron, changes: Partial<Cron>): Promise<Cron>
  /** The next times of an expression. Refuses as `createCron` does. */
  cronTimes(expr: string): CronTimes
  /** Which pipelines of the newest build of the default branch use which secret. */
  secretUses(repo: Repo): Promise<SecretUses>
  /** Returns the build with stages and steps; a finished build is unchanged. */
  cancel(repo: Repo, number: number, by: User, stillMay?: RightsCheck): Promise<Build>
  approve(repo: Repo, number: number, stage: number, by: User, stillMay?: RightsCheck): Promise<void>
  /** Without a stage: all of them. */
  decline(repo: Repo, number: number, stage: number | undefined, by: User, stillMay?: RightsCheck): Promise<void>
  /**
   * Reads the repositories of this user again; resolves when done. `users.syncing` is set in the
   * meantime.
   */
  sync(user: User): Promise<void>
  /** The folders that the last sync refused, with the reasons. */
  refused(): readonly string[]
  /** The time zone of cron schedules. */
  readonly timeZone: string
  /**
   * Activates: owner, config path, timeout, signer and secret are filled in where empty (docs/api
   * §2.3).
   */
  enable(repo: Repo, by: User): Promise<Repo>
  disable(repo: Repo): Promise<Repo>
  /** Fails with the error of Drone's database if the step already has one. */
  addCard(step: Step, card: Card): Promise<void>
  /**
   * The signature of a pipeline file, made with `secret` (docs/api §6.6). Throws `ConfigError` if
   * the file is invalid.
   */
  sign(repo: Repo, file: string, secret: string): Promise<string>
  /** Adds to each build the reasons why it and its stages wait. */
  withReasons<T extends Build>(builds: readonly T[]): Promise<T[]>
  /** A pipeline file that could not be read, with excerpts of the lines that its error names. */
  withExcerpts<T extends Build>(build: T): Promise<T>
  /** How long builds and logs are kept, what will be removed next and what was removed last. */
  retention(repo: Repo): Promise<Retention>
  changeRetention(repo: Repo, patch: RetentionPatch): Promise<Retention>
  /** The logs of these steps, and known facts about them. */
  removeLogs(steps: readonly number[]): Promise<void>
  /** The file and conditions that a build was created from. */
  details(repo: Repo, number: number): Promise<BuildDetails>
  /** A shell script that runs a step elsewhere as it ran here; secrets by name only. */
  script(repo: Repo, number: number, stage: number, step: number): Promise<string>
  /** What has changed since the step last passed. Throws a 404 if it never passed. */
  stepChanges(key: StepKey, signal?: AbortSignal): Promise<StepChanges | null>
  /**
   * The lines of the build's commit around a line that a log names. Throws a 404 if it has no such
   * path.
   */
  sourceFile(repo: Repo, number: number, named: NamedLine, signal?: AbortSignal): Promise<SourceFile>
  /** The last authors of those lines; empty if git is too slow. */
  sourceAuthors(key: StepKey, named: NamedLine, signal?: AbortSignal): Promise<SourceAuthors>
  /** The same for stages of all builds. */
  stagesWithReasons(stages: readonly Stage[]): Promise<Stage[]>
  /** The runners with their stages, and the queue. */
  runnersState(version: string): Promise<RunnersState>
  /** Pending stages wait until the queue is resumed or the server restarts (docs/api §2.8). */
  pauseQueue(): void
  resumeQueue(): void
  /**
   * With its changes. Throws a 404 if the repository has no such commit. git is stopped when all
   * callers that share the result have aborted by their signals.
   */
  commit(repo: Repo, refOrSha: string, signal?: AbortSignal): Promise<Commit>
  /** The commits that `to` has and `from` does not; each a sha or a ref. Throws the same 404. */
  compare(repo: Repo, commits: { from: string; to: string }, signal?: AbortSignal): Promise<Comparison>
  /** The full sha of the commit that a ref or a sha names. Throws the same 404. */
  commitSha(repo: Repo, refOrSha: string): Promise<string>
}
