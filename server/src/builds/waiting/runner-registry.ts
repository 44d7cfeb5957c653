/**
 * Runners that have recently polled. A runner has no connection or name of its own while it polls:
 * polls with the same filter from the same address count as one runner (docs/api §7.1: capacity is
 * the number of concurrent polls).
 */
import { matchesFilter, type StageFilter } from '../../pipeline/stage-filter.ts'
import type { LiveStage } from '../../store/queue.ts'
import type { RunnerFilter } from '../../interfaces/runner.ts'
import { isFree, type RunnerGroup } from './scheduler-reasons.ts'

/** A runner that waits for work asks every 40 s at the latest (docs/api §7.2). */
export const presentMs = 60_000
/** An assigned stage that no runner accepts is assigned to another after 10 s (`queue.ts`). */
const handedOutMs = 10_000
/** A client with the secret could poll with ever new filters: the oldest entry is evicted first. */
const maxRunners = 200
const maxMachines = 20

export interface PollingRunner {
  /** Empty: the runner that is built in. */
  address: string
  filter: RunnerFilter
  /** What the program calls itself, if it does. */
  agent: string
  /** The names that it gave when it took something, the last one first. */
  machines: string[]
  /** Milliseconds since the last poll; 0: it is polling now. */
  silenceMs: number
  /** Concurrent stages, as far as has been observed. */
  slots: number
  /** The ids of the stages that it has. */
  holds: number[]
}

interface Known extends Omit<PollingRunner, 'silenceMs' | 'slots' | 'holds'> {
  last: number
  open: number
  peak: number
  peakAt: number
  heldStages: Map<number, number>
}

export interface RunnerRegistry {
  /** A runner asks for work; returns the function that reports what it left with. */
  addPoll(filter: RunnerFilter, from?: { address: string; agent: string }): (stageId?: number) => void
  /** The stage was accepted under this name. */
  accepted(stageId: number, machine: string): void
  /** The runner is done with the stage: its slot is free before it asks again. */
  over: (stageId: number) => void
  /** All known runners; `live` has the stages that are still assigned. */
  list(live: ReadonlyMap<number, LiveStage>): PollingRunner[]
}

export const isPresent = ({ silenceMs, holds }: PollingRunner): boolean => silenceMs < presentMs || holds.length > 0

/**
 * `changed` is called when capacity grows: a new kind of stage has a runner, or an existing kind
 * has more slots.
 */
export function createRunnerRegistry(changed: () => void, now: () => number = () => performance.now()): RunnerRegistry {
  /** The most recent runner is last. */
  const runners = new Map<string, Known>()

  const slotsOf = (one: Known): number => {
    const current = one.open + one.heldStages.size
    return Math.max(current, now() - one.peakAt < presentMs ? one.peak : 0)
  }
  function measure(one: Known, before: number): void {
    const current = one.open + one.heldStages.size
    if (current < before) return
    one.peak = current
    one.peakAt = now()
    if (current > before) changed()
  }

  function discard(): void {
    for (const [key, { open, heldStages }] of runners) {
      if (runners.size <= maxRunners) return
      if (open === 0 && heldStages.size === 0) runners.delete(key)
    }
  }

  function over(stageId: number): void {
    for (const { heldStages } of runners.values()) heldStages.delete(stageId)
  }

  return {
    addPoll(filter, { address, agent } = { address: '', agent: '' }) {
      const key = JSON.stringify([address, agent, filter])
      const one: Known = runners.get(key) ?? {
        address,
        agent,
        filter,
        machines: [],
        last: -Infinity,
        open: 0,
        peak: 0,
        peakAt: -Infinity,
        heldStages: new Map(),
      }
      runners.delete(key)
      runners.set(key, one)
      discard()
      if (one.open === 0 && now() - one.last >= presentMs) changed()
      const slots = slotsOf(one)
      one.open += 1
      one.last = now()
      measure(one, slots)
      return (stageId) => {
        const before = slotsOf(one)
        // A poll may have been open for longer than what was shown before it is remembered.
        measure(one, before)
        one.open -= 1
        one.last = now()
        if (stageId !== undefined) {
          // The runner that got it before did not accept it.
          over(stageId)
          one.heldStages.set(stageId, now())
        }
        measure(one, before)
      }
    },
    accepted(stageId, machine) {
      const one = [...runners.values()].find(({ heldStages }) => heldStages.has(stageId))
      if (!one || one.machines[0] === machine) return
      one.machines = [machine, ...one.machines.filter((name) => name !== machine)].slice(0, maxMachines)
    },
    over,
    list(live) {
      return [...runners.values()].map((one) => {
        for (const [id, since] of one.heldStages) {
          const stage = live.get(id)
          if (!stage || (isFree(stage) && now() - since > handedOutMs)) one.heldStages.delete(id)
        }
        const { address, agent, filter, machines, open, last } = one
        const silenceMs = open > 0 ? 0 : now() - last
        return {
          address,
          agent,
          filter,
          machines: [...machines],
          silenceMs,
          slots: slotsOf(one),
          holds: [...one.heldStages.keys()],
        }
      })
    },
  }
}

/** Those that are there, by what they ask for. */
export function groupsOf(runners: readonly PollingRunner[], stages: readonly LiveStage[]): RunnerGroup[] {
  const groups = new Map<string, RunnerGroup>()
  const heldIds = new Set<number>()
  const enter = (filter: StageFilter, slots: number, busy: number): void => {
    const key = JSON.stringify(filter)
    const group = groups.get(key) ?? { filter, slots: 0, busy: 0 }
    groups.set(key, { filter, slots: group.slots + slots, busy: group.busy + busy })
  }
  for (const runner of runners) {
    for (const id of runner.holds) heldIds.add(id)
    if (isPresent(runner)) enter(runner.filter, runner.slots, runner.holds.length)
  }
  // A runner that took its stages before this server was started, and has no place left to ask for
  // more.
  for (const stage of stages) {
    if (isFree(stage) || heldIds.has(stage.id)) continue
    const known = [...groups.values()].find(({ filter }) => matchesFilter(stage, filter))
    const { kind, type, os, arch, variant, kernel, labels } = stage
    enter(known?.filter ?? { kind, type, os, arch, variant, kernel, labels }, 1, 1)
  }
  return [...groups.values()]
}
