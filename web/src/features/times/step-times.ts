/** The data that the page shows of a step. */
import type { RepoTimes, StepRun } from '@flightdeck/api'

import { lastChange, median, quantile } from './statistics.ts'

export interface StepTimes {
  stage: string
  step: string
  runs: readonly StepRun[]
  failed: number
  /** Of the successful runs; `undefined` if there are none. */
  median: number | undefined
  maxRuns: number | undefined
  change: { build: number; earlier: number; before: number; after: number } | undefined
}

type Given = RepoTimes['steps'][number]

/** Only the duration of successful runs is meaningful: a failed one can have ended early. */
export const timesOf = ({ stage, step, runs }: Given): StepTimes => {
  const passed = runs.filter((run) => run.passed)
  const seconds = passed.map((run) => run.seconds)
  const change = lastChange(seconds)
  const [first, earlier] = change ? [passed[change.at], passed[change.at - 1]] : []
  return {
    stage,
    step,
    runs,
    failed: runs.length - passed.length,
    median: seconds.length > 0 ? median(seconds) : undefined,
    maxRuns: seconds.length > 0 ? quantile(seconds, 0.9) : undefined,
    change:
      change && first && earlier
        ? { build: first.build, earlier: earlier.build, before: change.before, after: change.after }
        : undefined,
  }
}

/** Slowest first. */
export const tableOf = (times: RepoTimes): StepTimes[] =>
  times.steps.map(timesOf).toSorted((a, b) => (b.median ?? -1) - (a.median ?? -1))

/** Steps that became slower first, by the difference; then those that became faster. */
export const changesOf = (steps: readonly StepTimes[]): (StepTimes & { change: NonNullable<StepTimes['change']> })[] =>
  steps
    .flatMap((step) => (step.change ? [{ ...step, change: step.change }] : []))
    .toSorted((a, b) => b.change.after - b.change.before - (a.change.after - a.change.before))
