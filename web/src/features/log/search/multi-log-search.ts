/** Searches beyond the open log: the common interface, wherever the logs are read. */
import type { FoundBuild, FoundHit, Query } from '@flightdeck/api'

import type { StepAddress } from '../step/step-address.ts'
import type { SearchedStep } from './searched-steps.ts'

/** What is searched: the open log, all logs of its build, or the repository's last builds. */
export type Scope = 'log' | 'build' | 'builds'
export type MultiLogScope = Exclude<Scope, 'log'>

export interface FoundStep {
  address: StepAddress
  /** `stage / step`. */
  label: string
  /** Of the step, in Unix seconds; 0 where that is not known. */
  started: number
  /** When the log started, in Unix milliseconds, if known. */
  began?: number | undefined
  /** Of a search through builds. */
  build?: FoundBuild
  count: number
  /** The first ones. */
  hits: FoundHit[]
}

/** The timestamp shown beside hits: the format that the user selected for log lines. */
export interface HitTimes {
  /** Which time it is. */
  name: string
  textOf: (step: Pick<FoundStep, 'began' | 'started'>, hit: FoundHit) => string
}

export interface MultiLogSearchState {
  /** The newest build first. */
  found: readonly FoundStep[]
  /** How many steps, or builds, were searched, and the total; 0 of 0 while that is not known. */
  done: number
  total: number
  of: 'steps' | 'builds'
  /** The number of the oldest searched build. */
  oldest: number | undefined
  /** Logs that could not be read. */
  unread: number
  /** Nothing more comes. */
  over: boolean
  /** Why the search is incomplete, if it is. */
  error: string | undefined
}

export interface MultiLogSearch {
  subscribe: (listener: () => void) => () => void
  getSnapshot: () => MultiLogSearchState
  /** Restarts if the arguments have changed. `steps`: the build's steps with complete logs. */
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
  /** It may also occur in earlier builds, which were not searched. */
  earlier: 'no' | 'unknown' | 'searching'
  /** In how many builds. */
  builds: number
}

/** The first of the searched builds that contains it. */
export const sinceOf = (
  { found, of, oldest, over, error, done, total }: MultiLogSearchState,
  most: number,
): Since | undefined => {
  const build = found.at(-1)?.build
  if (of !== 'builds' || !build) return undefined
  const builds = new Set(found.map((step) => step.build?.number)).size
  if (!over) return { build, earlier: 'searching', builds }
  const isWhole = error === undefined && done === total
  // If there are fewer builds than the limit, there is none before them.
  const isSure = isWhole && (oldest !== build.number || total < most)
  return { build, earlier: isSure ? 'no' : 'unknown', builds }
}
