/**
 * The interface for runners. The built-in runner uses it as a remote one does over `/rpc/v2`
 * (docs/api §7), so nothing that a build does bypasses the manager; it knows nothing else about a
 * build.
 */
import type { Build, Line, Repo, Secret, Stage, Step } from '@flightdeck/api'
import type { Appended, LogRows } from '../lib/log-rows.ts'
import type { Netrc, Origin } from './origin.ts'

/** What became of a build that was at work when the server ended, in order or not. */
export const restartText = 'the server was restarted'

/** What a step shows in addition to its log (docs/api §8.1). */
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

/** Where a runner that is not built in asks from, and what its program calls itself. */
export interface AskedFrom {
  address: string
  agent: string
}

/** What a runner gets for its stage (docs/api §7.5). */
export interface StageContext {
  build: Build
  stage: Stage
  repo: Repo
  /** 32 characters; encrypts inline secrets. `''`: this build may see none. */
  repoSecret: string
  /** The text of the pipeline file at the build's commit. */
  config: string
  /** Only those this build may see. */
  secrets: readonly (Secret & { name: string; data: string })[]
  system: { proto: string; host: string; link: string; version: string }
  /** What steps use as `origin`; the same address as `repo.git_http_url`. */
  origin: Origin
  /**
   * The folder of the repository on this machine: the built-in runner takes the commits from there.
   */
  cloneFrom: string
}

/** Everything that a build does goes through here (architecture.md, flow 5; docs/api §7.3). */
export interface RunnerManager {
  /** Waits for a stage that fits; `null` when `signal` aborts first. */
  request(filter: RunnerFilter, signal: AbortSignal, from?: AskedFrom): Promise<Stage | null>
  /**
   * Assigns the stage to `machine`; throws `OptimisticLockError` if another runner was faster.
   * `remote`: it outlives this server.
   */
  accept(stageId: number, machine: string, options?: { remote?: boolean }): Promise<Stage>
  /**
   * `reach`: the address at which this runner reaches the server, if it differs from the browsers'
   * one.
   */
  details(stageId: number, reach?: string): Promise<StageContext>
  /** What git signs in with at this moment: a token may end before the stage does. */
  credential(stageId: number, reach?: string): Promise<Netrc | null>
  /**
   * Status pending or running = start (creates `stage.steps`), anything else = finish. Answers with
   * ids and versions.
   */
  updateStage(stage: Stage): Promise<Stage>
  /** Status pending or running = start (opens the live log), anything else = finish (closes it). */
  updateStep(step: Step): Promise<Step>
  /**
   * Resolves true as soon as the build is canceled or finished (immediately if it already is),
   * false when `signal` is aborted.
   */
  watch(buildId: number, signal: AbortSignal): Promise<boolean>
  /** Lines in any order, or encoded rows in theirs. */
  appendLog(stepId: number, lines: readonly Line[] | LogRows): Promise<Appended>
}

/**
 * What git must know about a repository to read it; data, and nothing that names a program or a
 * place.
 */
export interface RepositoryFacts {
  objectFormat: 'sha1' | 'sha256'
  /** The commits whose parents are omitted, one per line. */
  shallow: string
}

/** A repository as the clone step sees it: its objects, but not its configuration. */
export interface PreparedClone {
  /** What to fetch from. */
  repository: string
  /** The folder of objects that `repository` borrows. */
  objects: string
  /**
   * Those of the wanted refs that the repository has now: full name → object. `repository` has
   * them, too.
   */
  refs: ReadonlyMap<string, string>
  facts: RepositoryFacts
}

export interface PrepareOptions {
  /** Full names of the refs that are to be there, if the repository has them. */
  refs?: readonly string[]
  /** Where a sandbox shows the two folders. */
  mounted?: { repository: string; objects: string } | undefined
}

/** Prepares the repository at `from` below `folder`. */
export type PrepareClone = (folder: string, from: string, options?: PrepareOptions) => Promise<PreparedClone>
