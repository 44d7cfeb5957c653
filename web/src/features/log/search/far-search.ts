/** Searches beyond the log that is shown: what all of them tell, wherever the logs are read. */
import type { FoundBuild, FoundHit, Query } from '@flightdeck/api'

import type { StepAddress } from '../step/step-address.ts'
import type { SearchedStep } from './searched-steps.ts'

/** Where is looked for it: in the log that is shown, in all of its build, in the last builds of the repository. */
export type Scope = 'log' | 'build' | 'builds'
export type FarScope = Exclude<Scope, 'log'>

export interface FoundStep {
  address: StepAddress
  /** `stage / step`. */
  label: string
  /** Of the step, in Unix seconds; 0 where that is not known. */
  started: number
  /** When its log began, in Unix milliseconds, where that is told. */
  began?: number | undefined
  /** Of a search through builds. */
  build?: FoundBuild
  count: number
  /** The first ones. */
  hits: FoundHit[]
}

/** What stands beside the lines that were found: what the reader has chosen for those of the log. */
export interface HitTimes {
  /** Which time it is. */
  name: string
  textOf: (step: Pick<FoundStep, 'began' | 'started'>, hit: FoundHit) => string
}

export interface FarState {
  /** The newest build first. */
  found: readonly FoundStep[]
  /** How many steps, or builds, were looked through, of how many; 0 of 0 while that is not known. */
  done: number
  total: number
  of: 'steps' | 'builds'
  /** The number of the oldest build that was looked through. */
  oldest: number | undefined
  /** Logs that could not be read. */
  unread: number
  /** Nothing more comes. */
  over: boolean
  /** Why not all was looked through, if it was not. */
  error: string | undefined
}

export interface FarSearch {
  subscribe: (listener: () => void) => () => void
  getSnapshot: () => FarState
  /** Begins anew when it is about something else than before. `steps`: those of the build whose logs are complete. */
  look: (query: Query, steps: readonly SearchedStep[]) => void
  /** The reader has seen enough. */
  halt: () => void
  /** Forgets everything. */
  stop: () => void
}

export const tooSlow = 'This pattern is too slow and was stopped'
export const halted = 'Stopped'

export interface Since {
  build: FoundBuild
  /** It may have stood in builds before this one, which were not looked through. */
  earlier: 'no' | 'unknown' | 'searching'
  /** In how many builds. */
  builds: number
}

/** The first build, of those that were looked through, in which it stands. */
export const sinceOf = ({ found, of, oldest, over, error, done, total }: FarState, most: number): Since | undefined => {
  const build = found.at(-1)?.build
  if (of !== 'builds' || !build) return undefined
  const builds = new Set(found.map((step) => step.build?.number)).size
  if (!over) return { build, earlier: 'searching', builds }
  const isWhole = error === undefined && done === total
  // Where there are fewer builds than are looked through, there is none before them.
  const isSure = isWhole && (oldest !== build.number || total < most)
  return { build, earlier: isSure ? 'no' : 'unknown', builds }
}
