/**
 * Why each waiting stage waits, for a queue state (docs/api §5.4). Pure; the only place that
 * decides it.
 */
import type { ManagedRunnerState, Stage, Waiting } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { matchesFilter, type StageFilter } from '../../pipeline/stage-filter.ts'
import type { LiveStage } from '../../store/queue.ts'
import {
  approval,
  dependency,
  managedRunnerReason,
  concurrencyLimited,
  diskFull,
  noRunner,
  paused,
  queuePosition,
  starting,
} from './reason-texts.ts'

/**
 * Runners with the same filter, of which at least one has polled recently or is running a stage.
 */
export interface RunnerGroup {
  filter: StageFilter
  /** Concurrent stages, as far as is known. */
  slots: number
  busy: number
}

export interface QueueState {
  paused: boolean
  /** No stage is started: the disk is nearly full. */
  isDiskFull?: boolean
  runners: readonly RunnerGroup[]
  /** The runner that this server keeps itself. */
  managedRunner?: ManagedRunnerState | undefined
  /** All that are pending or running, by id. */
  stages: readonly LiveStage[]
}

export const isFree = (stage: Pick<LiveStage, 'status' | 'machine'>): boolean =>
  stage.status === 'pending' && stage.machine === ''

const platformKey = ({ kind, type, os, arch, variant, kernel, labels }: LiveStage): string =>
  JSON.stringify([kind, type, os, arch, variant, kernel, labels])

const count = <K>(counts: Map<K, number>, key: K): number => {
  const before = counts.get(key) ?? 0
  counts.set(key, before + 1)
  return before
}
const pipelineKey = ({ repo_id: repo, name }: LiveStage): string => `${repo} ${name}`

/** The runners that could accept it; computed once for all stages with the same requirements. */
const createMatcher = (runners: readonly RunnerGroup[]) => {
  const byKey = new Map<string, readonly RunnerGroup[]>()
  return (stage: LiveStage): readonly RunnerGroup[] => {
    const key = platformKey(stage)
    const matching = byKey.get(key) ?? runners.filter(({ filter }) => matchesFilter(stage, filter))
    byKey.set(key, matching)
    return matching
  }
}

/** As the queue counts them (`store/queue.ts`), in one walk by id. */
const createConcurrencyLimits = (stages: readonly LiveStage[]) => {
  const running = new Map<string, number>()
  for (const stage of stages) if (stage.status === 'running') count(running, pipelineKey(stage))
  const before = new Map<number, number>()
  const pendingBefore = new Map<string, number>()
  return (stage: LiveStage): Waiting | null => {
    const older = count(before, stage.repo_id)
    const key = pipelineKey(stage)
    const rivals = (running.get(key) ?? 0) + (stage.status === 'pending' ? count(pendingBefore, key) : 0)
    if (stage.throttle !== 0 && older >= stage.throttle) return concurrencyLimited('repository', stage.throttle)
    if (stage.limit !== 0 && rivals >= stage.limit) return concurrencyLimited('pipeline', stage.limit)
    return null
  }
}

/**
 * The reasons of pending stages, in two passes; `null` marks a point to yield to the event loop:
 * pushes can create tens of thousands of waiting stages.
 */
export function* queueReasons(state: QueueState): Generator<readonly [number, Waiting] | null, void> {
  const matching = createMatcher(state.runners)
  const heldBy = createConcurrencyLimits(state.stages)
  const inLine = new Map<RunnerGroup, number>()
  const positions = new Map<number, ReadonlyMap<RunnerGroup, number>>()
  const limits = new Map<number, Waiting>()
  for (const stage of state.stages) {
    const limit = heldBy(stage)
    if (limit) limits.set(stage.id, limit)
    else if (isFree(stage)) {
      positions.set(stage.id, new Map(matching(stage).map((group) => [group, count(inLine, group) + 1] as const)))
    }
    yield null
  }
  const inPlace = (stage: LiveStage): Waiting => {
    // Of several kinds of runners that could accept it, the one with the shortest queue.
    const [group, position] = [...(positions.get(stage.id) ?? [])].reduce((best, one) =>
      one[1] < best[1] ? one : best,
    )
    const groups = matching(stage)
    const sum = (of: 'busy' | 'slots') => groups.reduce((all, one) => all + one[of], 0)
    return queuePosition(position, inLine.get(group) ?? position, sum('busy'), sum('slots'))
  }
  for (const stage of state.stages) {
    if (stage.status === 'running') yield null
    else if (stage.machine) yield [stage.id, starting(stage.machine)]
    else if (state.isDiskFull) yield [stage.id, diskFull()]
    else if (state.paused) yield [stage.id, paused()]
    else if (matching(stage).length === 0) yield [stage.id, keptFor(stage, state.managedRunner) ?? noRunner(stage)]
    else yield [stage.id, limits.get(stage.id) ?? inPlace(stage)]
  }
}

/** The managed runner would accept it, but does not work. */
const keptFor = (stage: LiveStage, managed: ManagedRunnerState | undefined): Waiting | undefined =>
  managed && managed.state !== 'working' && matchesFilter(stage, managed.filter)
    ? managedRunnerReason(stage, managed)
    : undefined

/** Waiting reasons that depend on the build alone, by stage id. */
export function buildReasons(stages: readonly Stage[]): Map<number, Waiting> {
  const open = new Set(stages.filter((one) => !isDone(one.status)).map((one) => one.name))
  const reasons = new Map<number, Waiting>()
  for (const { id, status, depends_on: needed } of stages) {
    if (status === 'blocked') reasons.set(id, approval())
    if (status !== 'waiting_on_dependencies') continue
    const names = [...new Set(needed)]
    const missing = names.filter((name) => open.has(name))
    reasons.set(id, dependency(missing.length > 0 ? missing : names))
  }
  return reasons
}
