/**
 * The differences between two runs of a step, besides their commits. Pure. Servers omit empty
 * values.
 */
import type { Build, Stage, Step } from '@flightdeck/api'

export interface Run {
  build: Pick<Build, 'number' | 'params'>
  stage: Pick<Stage, 'machine' | 'os' | 'arch' | 'variant'> | undefined
  step: Pick<Step, 'started' | 'stopped'> | undefined
}

export interface Changed {
  before: string | undefined
  after: string | undefined
}

export interface Differences {
  params: (Changed & { name: string })[]
  /** Machine and platform; absent if neither is known. */
  runner?: { before: string; after: string; same: boolean }
  /** Whole seconds. */
  duration?: { before: number; after: number }
}

const runnerOf = (stage: Run['stage']): string =>
  [stage?.machine, [stage?.os, stage?.arch, stage?.variant].filter(Boolean).join('/')].filter(Boolean).join(', ')

const secondsOf = (step: Run['step']): number | undefined =>
  step?.started && step.stopped ? Math.max(0, step.stopped - step.started) : undefined

export const differences = (successful: Run, failed: Run): Differences => {
  const [old, now] = [successful.build.params ?? {}, failed.build.params ?? {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => old[name] !== now[name])
  const [before, after] = [runnerOf(successful.stage), runnerOf(failed.stage)]
  const [took, takes] = [secondsOf(successful.step), secondsOf(failed.step)]
  return {
    params: names.map((name) => ({ name, before: old[name], after: now[name] })),
    ...(before && after && { runner: { before, after, same: before === after } }),
    ...(took !== undefined && takes !== undefined && { duration: { before: took, after: takes } }),
  }
}
