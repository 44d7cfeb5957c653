/** What the server and the thread that searches logs say to each other. */
import type { Query } from '@flightdeck/api'
import type { StepFound } from '../../interfaces/logs.ts'

/** Given with the thread: one of them lives as long as its search. */
export interface SearchData {
  query: Query
  /** Incremented with each searched line: while it does not change, a pattern is catastrophically slow. */
  life: Int32Array
}

export interface StepJob {
  /** Files that may hold the log, the first that is there counts; each may be packed and then ends in `.gz`. */
  paths: string[]
  /** Maximum hits to return; further hits are counted. */
  maxHits: number
}

/** What was found until now and, once it is done, in all; `null`: there is no such file, or it broke. */
export type StepAnswer = { found: StepFound; done: boolean } | null
