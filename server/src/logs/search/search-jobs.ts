/** Messages between the server and the thread that searches logs. */
import type { Query } from '@flightdeck/api'
import type { StepFound } from '../../interfaces/logs.ts'

/** The data that a thread starts with; each search has its own thread. */
export interface SearchData {
  query: Query
  /** Incremented with each searched line. If it stops changing, the pattern backtracks. */
  life: Int32Array
}

export interface StepJob {
  /**
   * Possible files of the log; the first that exists is used. Each may be compressed, with the
   * ending `.gz`.
   */
  paths: string[]
  /** Maximum hits to return; further hits are counted. */
  maxHits: number
}

/**
 * The hits so far and, once done, in total; `null` if there is no such file or the search failed.
 */
export type StepAnswer = { found: StepFound; done: boolean } | null
