/** Searches beyond the open log: the common interface, wherever the logs are searched. */
import type { FoundBuild, FoundHit, Query } from '@flightdeck/api'

import type { StepAddress } from '../step/step-address.ts'
import type { SearchedStep } from './searched-steps.ts'

/** The scope: the open log, all logs of its build, or the repository's last builds. */
export type Scope = 'log' | 'build' | 'builds'
export type MultiLogScope = Exclude<Scope, 'log'>

export interface FoundStep {
  address: StepAddress
  /** `stage / step`. */
  label: string
  /** The start of the step, in Unix seconds; 0 if unknown. */
  started: number
  /** When the log started, in Unix milliseconds, if known. */
  began?: number | undefined
  /** Only for a search in several builds. */
  build?: FoundBuild
  count: number
  /** The first hits. */
  hits: FoundHit[]
}

/** The timestamp shown beside hits: the format that the user selected for log lines. */
export interface HitTimes {
  /** The name of the format. */
  name: string
  textOf: (step: Pick<FoundStep, 'began' | 'started'>, hit: FoundHit) => string
}

export interface MultiLogSearchState {
  /** Newest build first. */
  found: readonly FoundStep[]
  /** The number of searched steps or builds, and the total; 0 of 0 while unknown. */
  done: number
  total: number
  of: 'steps' | 'builds'
  /** The number of the oldest searched build. */
  oldest: number | undefined
  /** The number of logs that could not be read. */
  unread: number
  /** The search has finished. */
  over: boolean
  /** Why the search is incomplete, if it is. */
  error: string | undefined
}

export interface MultiLogSearch {
  subscribe: (listener: () => void) => () => void
  getSnapshot: () => MultiLogSearchState
  /** Restarts if the arguments have changed. `steps`: the build's steps with complete logs. */
  look: (query: Query, steps: readonly SearchedStep[]) => void
  /** Stops the search and keeps the results. */
  interrupt: () => void
  /** Stops the search and discards the results. */
  stop: () => void
}

export const tooSlow = 'This pattern is too slow and was stopped'
export const halted = 'Stopped'

export interface Since {
  build: FoundBuild
  /** It may also occur in earlier builds, which were not searched. */
  earlier: 'no' | 'unknown' | 'searching'
  /** The number of builds with hits. */
  builds: number
}

/** The oldest searched build that contains the text. */
export const sinceOf = (
  { found, of, oldest, over, error, done, total }: MultiLogSearchState,
  maxHits: number,
): Since | undefined => {
  const build = found.at(-1)?.build
  if (of !== 'builds' || !build) return undefined
  const builds = new Set(found.map((step) => step.build?.number)).size
  if (!over) return { build, earlier: 'searching', builds }
  const isWhole = error === undefined && done === total
  // If there are fewer builds than the limit, there is none before them.
  const isSure = isWhole && (oldest !== build.number || total < maxHits)
  return { build, earlier: isSure ? 'no' : 'unknown', builds }
}
