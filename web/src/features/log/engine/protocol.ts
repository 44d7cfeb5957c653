/** The messages between the page and the log's worker. */
import type { Cause } from './causes.ts'
import type { Query } from './query.ts'
import type { LineView } from './view.ts'

/**
 * More new lines than this at a time are a burst: lines arrive faster than anyone can read them.
 */
export const burstLines = 60

export interface LogStats {
  /** Increases whenever existing lines may have changed; growth at the end does not count. */
  version: number
  lines: number
  bytes: number
  /** The number and seconds of the last line, which are the widest; 0 without lines. */
  lastNumber: number
  lastTime: number
  /** Whether the first line has tenths of seconds, so that the column has room for them. */
  tenths: boolean
  /** When the log started, in Unix milliseconds, if known. */
  began: number | undefined
  /** The number of commands whose output can be folded. */
  groups: number
  /** The `pos` of the first entry, which is the number of entries that the runner dropped. */
  first: number
  /** The number of missing entries. */
  missing: number
  /** The text after `web session: ` on the first such line. */
  session: string | undefined
  /** The limit at which the server ended the log, for example `250 MB`. */
  cut: string | undefined
}

export interface SearchState {
  /** The search's number, assigned by the page. */
  id: number
  count: number
  done: boolean
  /** The search was stopped before all lines were searched. */
  halted?: boolean
  error: string | undefined
  /** The hundredths of the log with a hit. */
  ticks: number[]
}

export type ToWorker =
  | { type: 'saved-begin' }
  | { type: 'saved-bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'saved-end' }
  /** A connection to the live stream starts: partial data of the previous one is discarded. */
  | { type: 'live-begin' }
  | { type: 'live-bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'lines'; id: number; wanted: number[]; raw: boolean }
  | { type: 'groups'; id: number }
  /**
   * From now on the last lines are sent with each `stats`, so a page that follows the end need not
   * request them.
   */
  | { type: 'tail'; lines: number; raw: boolean }
  /** `only`: only these of the lines in between. */
  | { type: 'text'; id: number; from: number; to: number; plain: boolean; only?: Uint32Array | undefined }
  | { type: 'locate'; id: number; number: number }
  | { type: 'wrap'; id: number; from: number; columns: number }
  | { type: 'hit'; id: number; index: number }
  /** Requests the error lines of the log so far. */
  | { type: 'causes'; id: number; exitCode: number | undefined; known?: Uint8Array | undefined }
  /** Requests the lines that an earlier run, given by its fingerprint, did not have. */
  | { type: 'new lines'; id: number; known: Uint8Array }
  /** Requests the fingerprint of the lines so far. */
  | { type: 'print'; id: number }
  | { type: 'hit-from'; id: number; line: number }
  | { type: 'search'; id: number; query: Query | undefined }
  | { type: 'pattern-port'; port: MessagePort }

export type FromWorker =
  | { type: 'stats'; stats: LogStats; tail: LineView[] }
  | { type: 'saved'; ok: boolean }
  | { type: 'lines'; id: number; version: number; lines: LineView[] }
  | { type: 'text'; id: number; blob: Blob }
  | { type: 'groups'; id: number; starts: Uint32Array }
  | { type: 'number'; id: number; value: number }
  | { type: 'wrap'; id: number; rows: Uint16Array }
  | { type: 'causes'; id: number; causes: Cause[] }
  | { type: 'new lines'; id: number; lines: Uint32Array<ArrayBuffer> }
  | { type: 'print'; id: number; known: Uint8Array<ArrayBuffer> }
  | { type: 'search'; search: SearchState }

/** Between the log's worker and the pattern worker, which can be stopped without losing the log. */
export type ToPatternWorker = { type: 'start'; id: number; query: Query; port: MessagePort }
export interface PatternRequest {
  id: number
  from: number
  /**
   * The maximum number of lines in the next block: few if they take long, so that the count of hits
   * grows visibly.
   */
  maxHits?: number
  /** Triples of line, start and end of the hits in the previous block. */
  hits: number[]
}
export interface PatternBlock {
  id: number
  from: number
  /** The number of lines. */
  count: number
  /**
   * The lines, joined by newlines: one copy is faster than thousands. Can have more lines than
   * `count`.
   */
  text: string
  /** There are no more lines. */
  last: boolean
}
/** To the page: a heartbeat before each block, so that a hanging pattern is noticed. */
export type FromPatternWorker = { type: 'beat'; id: number } | { type: 'done'; id: number }
