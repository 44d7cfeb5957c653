/** How a build spent its time. Pure. Times are Unix seconds of the server. */
import { isDone, type Build, type Stage, type Step } from '@flightdeck/api'

import { criticalPath, markedOf } from '../../lib/critical-path.ts'

export interface Bar {
  /** `2` for a stage, `2/1` for one of its steps. */
  key: string
  kind: 'stage' | 'step'
  name: string
  status: string
  stage: number
  step?: number
  /**
   * From when on only an approval was missing, and until when; 0 if it needed none, or has not been
   * approved.
   */
  asked: number
  approved: number
  /** From when on only a free runner was missing; 0 if it never waited. */
  ready: number
  started: number
  /** 0 while running. */
  stopped: number
  /** It is on the critical path, and not everything beside it is. */
  critical: boolean
  /** The build in which it ran, so it has no position on this axis. */
  reusedFrom?: number
}

const ran = ({ status, started = 0 }: Stage | Step): boolean => started > 0 && status !== 'skipped'

/** When its last dependency finished, or the build was created; 0 while one is unfinished. */
const neededAt = (stage: Stage, byName: ReadonlyMap<string, Stage>, created: number): number => {
  const needs = (stage.depends_on ?? []).map((name) => byName.get(name))
  if (needs.some((need) => need && !need.taken_over && !isDone(need.status))) return 0
  const ends = needs.map((need) => (need && !need.taken_over ? need.stopped : 0))
  return Math.max(created, ...ends)
}

export const barsOf = (build: Pick<Build, 'created' | 'stages'>): Bar[] => {
  const stages = (build.stages ?? []).toSorted((a, b) => a.number - b.number)
  const byName = new Map(stages.map((stage) => [stage.name, stage]))
  const path = criticalPath(stages)
  const marked = markedOf(stages, path)
  return stages.flatMap((stage): Bar[] => {
    const { number, name, status, taken_over: reusedFrom } = stage
    const from = typeof reusedFrom === 'number' ? { reusedFrom } : {}
    const waits = status === 'pending' || (ran(stage) && !reusedFrom)
    const needed = neededAt(stage, byName, build.created)
    // In a rerun, the approval is from the earlier build.
    const { approved = 0 } = stage
    const wasAsked = !reusedFrom && (status === 'blocked' || (waits && approved > needed))
    const bar: Bar = {
      key: `${number}`,
      kind: 'stage',
      name,
      status,
      stage: number,
      asked: wasAsked ? needed : 0,
      approved: wasAsked && status !== 'blocked' ? approved : 0,
      ready: waits && needed > 0 ? Math.max(needed, approved) : 0,
      started: ran(stage) ? stage.started : 0,
      stopped: ran(stage) ? stage.stopped : 0,
      critical: marked.has(number),
      ...from,
    }
    const steps = (stage.steps ?? []).toSorted((a, b) => a.number - b.number)
    // Faster steps of a stage that is not on the path would not end the build earlier.
    const markedSteps = path.has(number) ? markedOf(steps, criticalPath(steps)) : new Set<number>()
    return [
      bar,
      ...steps.map((step): Bar => ({
        key: `${number}/${step.number}`,
        kind: 'step',
        name: step.name,
        status: step.status,
        stage: number,
        step: step.number,
        asked: 0,
        approved: 0,
        ready: 0,
        started: ran(step) ? (step.started ?? 0) : 0,
        stopped: ran(step) ? (step.stopped ?? 0) : 0,
        critical: markedSteps.has(step.number),
        ...from,
      })),
    ]
  })
}

/** Readable axis lengths, in seconds. */
const lengths = [10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400]

/**
 * The range of the axis: for a running build it ends some time after now, so that it does not
 * change every second.
 */
export const axisOf = (build: Pick<Build, 'created' | 'finished' | 'status'>, bars: readonly Bar[], now: number) => {
  const ownBars = bars.filter((bar) => bar.reusedFrom === undefined)
  // `reduce` instead of `Math.max(...)`: a hundred thousand arguments overflow the stack.
  const end = ownBars.reduce((last, bar) => Math.max(last, bar.started ? bar.stopped || now : 0), 0)
  const isFinished = isDone(build.status)
  const span = Math.max(build.finished, end, isFinished ? 0 : now) - build.created
  const length = isFinished
    ? Math.max(1, span)
    : (lengths.find((one) => one > span) ?? Math.ceil(span / 86_400 + 1) * 86_400)
  return { begin: build.created, length }
}
export type Axis = ReturnType<typeof axisOf>

/** The position on the axis in percent, limited to the axis. */
export const placeOn = ({ begin: start, length }: Axis, from: number, to: number): { left: number; width: number } => {
  const percent = (at: number) => Math.min(100, Math.max(0, ((at - start) / length) * 100))
  const left = percent(from)
  return { left, width: Math.max(0, percent(to) - left) }
}

const tickLengths = [1, 2, 5, ...lengths.slice(0, -1), 43_200, 86_400]

/**
 * The seconds from the start at which the axis has a mark: at most six besides 0, at readable
 * times.
 */
export const ticksOf = ({ length }: Axis): number[] => {
  const maxTicks = 6
  const every =
    tickLengths.find((tickLength) => length / tickLength <= maxTicks) ?? Math.ceil(length / maxTicks / 86_400) * 86_400
  return Array.from({ length: Math.floor(length / every) + 1 }, (_, index) => index * every)
}
