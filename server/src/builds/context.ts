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
import type { KeyedMutex } from './keyed-mutex.ts'
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

/** All that is told of a build. */
const readBuild = async (ci: CiContext, buildId: number): Promise<RepoWithBuild> => {
  const { build } = await loadBuild(ci.db, buildId)
  const repo: Repo = required(await findRepo(ci.db, build.repo_id))
  return { ...repo, build: ci.reasons.withKnown(build) }
}

/**
 * Tells all readers how the build stands now, or in a moment how it stands then. Called within the build's lock, so events
 * come in order; what is told later is read in the lock, too: nobody hears of a change before it is complete.
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
 * The same after something was stored: that it cannot be told just now must not look as if it were not stored.
 * `stored`: the repository's visibility when it was stored; without it, as it is now.
 */
export const tellBuild = async (ci: CiContext, buildId: number, stored?: Repo['visibility']): Promise<void> => {
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

/** No reader hears of a change that a loss of power could take back. A disk that cannot be synced holds no build up: answers say so. */
const showable = (ci: CiContext): Promise<void> => ci.durable().catch(() => {})

interface Around<First, T> {
  /** Before the transaction, for work in several of its own: one that takes long would hold up every other query. */
  first?: () => Promise<First>
  /** When the change is stored and before anybody hears of it; not in the transaction either. */
  before?: (result: T) => Promise<void>
  /** Only steps change: that brings no work and frees no place. */
  stepsOnly?: boolean
}

/**
 * The one way to change a build: alone on this build, all or nothing, told to all readers. Whatever `work` answers is
 * answered; it is given what `first` answered. The queue looks again where the change may bring work or free a place.
 */
export const changeBuild = <T, First = undefined>(
  ci: CiContext,
  buildId: number,
  work: (tx: Db, first: First) => Promise<T>,
  { first, before, stepsOnly = false }: Around<First, T> = {},
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
    await showable(ci)
    await tellBuild(ci, buildId, visibility)
    if (!stepsOnly) ci.queue.poke()
    return result
  })
