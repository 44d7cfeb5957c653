/**
 * The waiting reasons that clients receive. The whole queue is evaluated at once and the result is
 * cached until something changes: a thousand readers of a thousand waiting stages cost no more than
 * one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isDone, type Build, type ManagedRunnerState, type Stage, type Waiting } from '@flightdeck/api'
import type { Db } from '../../store/open.ts'
import { listBlockedBuilds, listLive, type LiveStage } from '../../store/queue.ts'
import { shouldYield, nextTurn, yieldToEventLoop } from '../../lib/event-loop.ts'
import { withoutManaged } from './managed-runner.ts'
import { groupsOf, type PollingRunner, type RunnerRegistry } from './runner-registry.ts'
import { endedBuild, withEnds } from './end-reasons.ts'
import { buildReasons, queueReasons } from './scheduler-reasons.ts'
import { approval, starting } from './reason-texts.ts'

/** Stages per read. */
const slice = 500
/** The cache's TTL, since runners appear and disappear without a change of the queue. */
const goodMs = 1_000
/** At most a fifth of the time is spent on reasons, however long the queue. */
const pauseFactor = 4
const maxPauseMs = 500

export interface QueueSnapshot {
  /** The reasons of all pending stages, by id. */
  reasons: ReadonlyMap<number, Waiting>
  /**
   * Builds that have a pending or running stage; the reason is that of the first one, if none runs.
   */
  builds: ReadonlyMap<number, WaitingBuild>
  runners: readonly PollingRunner[]
}
export interface WaitingBuild {
  repoId: number
  waiting: Waiting | undefined
  /** Of its stages that wait, in their order. */
  reasons: readonly Waiting[]
}

export interface Reasons {
  /** The queue or its runners have changed. */
  changed(): void
  /** The queue as it is now. */
  snapshot(): Promise<QueueSnapshot>
  /** No stage waited or ran at the last check, and nothing has changed since. */
  isIdle(): boolean
  /** Called with every new evaluation: its results are sent to clients. */
  onSnapshot(listener: (snapshot: QueueSnapshot) => void): void
  /** Builds for clients, with or without their stages, each with its current reasons. */
  withReasons<T extends Build>(builds: readonly T[]): Promise<T[]>
  /**
   * Like `withReasons` but synchronous, with the last known reasons: for events, which are
   * published again on change.
   */
  withKnown(build: Build): Build
  stages(stages: readonly Stage[]): Promise<Stage[]>
}

export interface ReasonsOptions {
  db: Db
  runnerRegistry: RunnerRegistry
  /** The runner that this server keeps itself. */
  managedRunner?: (() => ManagedRunnerState) | undefined
  isPaused: () => boolean
  isDiskFull?: () => boolean
  /** Milliseconds; for tests. */
  now?: () => number
}

async function readQueue(db: Db): Promise<LiveStage[]> {
  const stages: LiveStage[] = []
  for (let after = 0; ; await nextTurn()) {
    const some = await listLive(db, after, slice)
    stages.push(...some)
    after = some.at(-1)?.id ?? after
    if (some.length < slice) return stages
  }
}

/** No stage of the build runs: the first reason is the build's. */
function buildsOf(stages: readonly LiveStage[], reasons: ReadonlyMap<number, Waiting>): Map<number, WaitingBuild> {
  const running = new Set<number>()
  const waiting = new Map<number, { repoId: number; reasons: Waiting[] }>()
  for (const stage of stages) {
    const { build_id: id, repo_id: repoId } = stage
    const build = waiting.get(id) ?? { repoId, reasons: [] }
    waiting.set(id, build)
    const reason = reasons.get(stage.id)
    if (stage.status === 'running') running.add(id)
    else if (reason) build.reasons.push(reason)
  }
  return new Map(
    [...waiting].map(([id, build]) => [id, { ...build, waiting: running.has(id) ? undefined : build.reasons[0] }]),
  )
}

const joined = <T extends { waiting?: Waiting }>(entity: T, waiting: Waiting | undefined): T => ({
  ...entity,
  ...(waiting && { waiting }),
})

const inQueue = ({ id, status, machine }: Stage, queue: QueueSnapshot | undefined): Waiting | undefined => {
  if (status !== 'pending') return undefined
  return machine ? starting(machine) : queue?.reasons.get(id)
}

const waits = ({ status }: Stage): boolean => ['pending', 'blocked', 'waiting_on_dependencies'].includes(status)

const withEnd = <T extends Build>(build: T): T => {
  const ended = endedBuild(build)
  return ended ? { ...build, ended } : build
}

function withStageReasons<T extends Build>(build: T, stages: readonly Stage[], queue: QueueSnapshot | undefined): T {
  // One that is over waits for nothing: declining leaves its other stages blocked, as Drone's does.
  if (isDone(build.status)) return { ...withEnd(build), stages: withEnds(build, stages) }
  const own = buildReasons(stages)
  const explained = withEnds(build, stages).map((stage) => joined(stage, own.get(stage.id) ?? inQueue(stage, queue)))
  const silent = stages.some((stage) => stage.status === 'running')
  const first = silent ? undefined : (explained.find((one) => one.status === 'pending') ?? explained.find(waits))
  return { ...withEnd(joined(build, first?.waiting)), stages: explained }
}

export function createReasons({
  db,
  runnerRegistry,
  managedRunner,
  isPaused,
  isDiskFull = () => false,
  now = () => performance.now(),
}: ReasonsOptions): Reasons {
  let revision = 0
  let latest: { snapshot: QueueSnapshot; revision: number; at: number; ended: number; cost: number } | undefined
  let working: Promise<QueueSnapshot> | undefined
  let next: Promise<QueueSnapshot> | undefined
  const listeners: ((snapshot: QueueSnapshot) => void)[] = []

  async function judge(): Promise<QueueSnapshot> {
    const before = revision
    const startedAt = performance.now()
    const stages = await readQueue(db)
    const managedState = managedRunner?.()
    const runnersNow = withoutManaged(
      runnerRegistry.list(new Map(stages.map((stage) => [stage.id, stage]))),
      managedState,
    )
    const state = {
      paused: isPaused(),
      isDiskFull: isDiskFull(),
      runners: groupsOf(runnersNow, stages),
      stages,
      managedRunner: managedState,
    }
    const reasons = new Map<number, Waiting>()
    for (const found of queueReasons(state)) {
      if (found) reasons.set(...found)
      if (shouldYield()) await yieldToEventLoop()
    }
    const snapshot = { reasons, builds: buildsOf(stages, reasons), runners: runnersNow }
    const ended = performance.now()
    latest = { snapshot, revision: before, at: now(), ended, cost: ended - startedAt }
    for (const listener of listeners) listener(snapshot)
    return snapshot
  }

  /**
   * One evaluation at a time; callers that arrive during one, which may be outdated, share the
   * next.
   */
  async function afterThis(): Promise<QueueSnapshot> {
    await working?.catch(() => undefined)
    const due = latest ? latest.ended + Math.min(maxPauseMs, latest.cost * pauseFactor) - performance.now() : 0
    if (due > 1) await delay(due, undefined, { ref: false })
    next = undefined
    working = judge()
    return working
  }

  async function readSnapshot(): Promise<QueueSnapshot> {
    if (latest?.revision === revision && now() - latest.at < goodMs) return latest.snapshot
    next ??= afterThis()
    return next
  }

  return {
    changed() {
      revision += 1
    },
    snapshot: readSnapshot,
    isIdle: () => latest?.revision === revision && latest.snapshot.builds.size === 0,
    onSnapshot: (listener) => void listeners.push(listener),
    async withReasons(builds) {
      const open = builds.filter((build) => !isDone(build.status) && (build.stages?.some(waits) ?? true))
      if (open.length === 0) {
        return builds.map((build) => (build.stages ? withStageReasons(build, build.stages, undefined) : withEnd(build)))
      }
      const queue = await readSnapshot()
      // An unfinished build without stages in the queue can only wait for approval.
      const unknown = open.filter(({ id, stages }) => !stages && !queue.builds.has(id))
      const blocked = new Set(
        unknown.length > 0
          ? await listBlockedBuilds(
              db,
              unknown.map(({ id }) => id),
            )
          : [],
      )
      return builds.map((build) => {
        if (build.stages) return withStageReasons(build, build.stages, queue)
        if (isDone(build.status)) return withEnd(build)
        return joined(build, queue.builds.get(build.id)?.waiting ?? (blocked.has(build.id) ? approval() : undefined))
      })
    },
    withKnown: (build) => (build.stages ? withStageReasons(build, build.stages, latest?.snapshot) : withEnd(build)),
    async stages(stages) {
      if (!stages.some(waits)) return [...stages]
      const queue = await readSnapshot()
      return stages.map((stage) => joined(stage, inQueue(stage, queue)))
    },
  }
}
