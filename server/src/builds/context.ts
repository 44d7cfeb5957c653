/** What the parts of the embedded CI share. */
import type { Build, Repo, RepoWithBuild, Stage } from '@flightdeck/api'
import { texts } from '@flightdeck/api'
import { findBuild, withStages } from '../store/builds.ts'
import { StaleVersionError } from '../store/errors.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { findRepo } from '../store/repos.ts'
import type { ConfigTexts } from './pipeline-config-cache.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import type { GitReader } from '../interfaces/git.ts'
import type { KeyedMutex } from '../lib/keyed-mutex.ts'
import type { BuildClocks } from './build-clocks.ts'
import type { Queue } from './stage-queue.ts'
import { Refusal, OptimisticLockError } from '../lib/refusal.ts'
import type { EventBus } from '../interfaces/events.ts'
import type { LogStore } from '../interfaces/logs.ts'
import type { RunnerRegistry } from './waiting/runner-registry.ts'
import type { Reasons } from './waiting/waiting-reasons.ts'
import type { Watchers } from './build-watchers.ts'
import { visibilityOfBuild } from '../store/visibility.ts'
import { isPassing, type Writes } from '../store/writes.ts'

export interface CiContext {
  readonly db: Db
  readonly events: EventBus
  readonly logs: LogStore
  readonly git: GitReader
  readonly files: PipelineFiles
  readonly configs: ConfigTexts
  readonly queue: Queue
  readonly runnerRegistry: RunnerRegistry
  readonly reasons: Reasons
  readonly watchers: Watchers
  /** By build id. */
  readonly locks: KeyedMutex
  /** Unix seconds. */
  readonly now: () => number
  readonly clocks: BuildClocks
  readonly writes: Writes
  /** Resolves when all that was stored until now outlives a loss of power. */
  readonly durable: () => Promise<void>
}

export const noRows = (): Refusal => new Refusal(404, texts.noRows)

/** The entity, or the 404 that clients know (docs/api §2.0). */
export const required = <T>(entity: T | null): T => {
  if (entity === null) throw noRows()
  return entity
}

/** A build with its stages and their steps; `stages` is never absent here. */
export interface LoadedBuild {
  build: Build
  stages: Stage[]
}

export const loadBuild = async (db: Db, id: number): Promise<LoadedBuild> => {
  const build = await withStages(db, required(await findBuild(db, id)))
  return { build, stages: build.stages ?? [] }
}

/** The repository and build of an event. */
const readBuild = async (ci: CiContext, buildId: number): Promise<RepoWithBuild> => {
  const { build } = await loadBuild(ci.db, buildId)
  const repo: Repo = required(await findRepo(ci.db, build.repo_id))
  return { ...repo, build: ci.reasons.withKnown(build) }
}

/**
 * Publishes the build's current state to all subscribers, immediately or with a short delay. Called
 * within the build's lock, so events are in order; delayed events read the state in the lock, too,
 * so no subscriber sees an incomplete change.
 */
const publishBuild = (ci: CiContext, buildId: number, visibility: Repo['visibility'] | undefined): Promise<void> =>
  ci.events.publish(
    buildId,
    () => readBuild(ci, buildId),
    () =>
      ci.writes.retryWithBackoff(`the state of build ${buildId}`, () =>
        ci.locks(buildId, () => readBuild(ci, buildId)),
      ),
    visibility,
  )

/**
 * Like `publishBuild`, but logs failures: the change is stored even if it cannot be published.
 * `stored`: the repository's visibility at the time of the change; defaults to the current one.
 */
export const notifyBuild = async (ci: CiContext, buildId: number, stored?: Repo['visibility']): Promise<void> => {
  let visibility = stored
  try {
    visibility ??= await visibilityOfBuild(ci.db, buildId)
    await publishBuild(ci, buildId, visibility)
  } catch (error) {
    if (!isPassing(error)) throw error
    ci.writes.later(`the state of build ${buildId}`, () =>
      ci.locks(buildId, () => publishBuild(ci, buildId, visibility)),
    )
  }
}

/**
 * Syncs to disk before a change is published, so a power loss cannot undo what was shown. Sync
 * errors do not block builds.
 */
const showable = (ci: CiContext): Promise<void> => ci.durable().catch(() => {})

interface Around<First, T> {
  /**
   * Runs before the transaction, for work with its own transactions: a long one would delay every
   * other query.
   */
  first?: () => Promise<First>
  /** Runs after the commit and before the change is published, outside the transaction. */
  before?: (result: T) => Promise<void>
  /** Only steps change: that brings no work and frees no place. */
  stepsOnly?: boolean
  /**
   * A power loss may undo the change, such as a step that starts: its event is published while the
   * disk syncs. The response waits.
   */
  mayBeLost?: boolean
}

/**
 * The only way to change a build: under the build's lock, in one transaction, then published to all
 * subscribers. Returns the result of `work`, which receives the result of `first`. The queue is
 * checked again if the change can add work or free a slot.
 */
export const changeBuild = <T, First = undefined>(
  ci: CiContext,
  buildId: number,
  work: (tx: Db, first: First) => Promise<T>,
  { first, before, stepsOnly = false, mayBeLost = false }: Around<First, T> = {},
): Promise<T> =>
  ci.locks(buildId, async () => {
    const begun = (await first?.()) as First
    const { result, visibility } = await inTransaction(ci.db, async (tx) => ({
      result: await work(tx, begun),
      visibility: await visibilityOfBuild(tx, buildId),
    })).catch((error: unknown) => {
      throw error instanceof StaleVersionError ? new OptimisticLockError() : error
    })
    await before?.(result)
    const synced = showable(ci)
    if (!mayBeLost) await synced
    await notifyBuild(ci, buildId, visibility)
    if (!stepsOnly) ci.queue.poke()
    return result
  })
