/** What the page and the log's worker say to each other. */
import type { Cause } from './causes.ts'
import type { Query } from './query.ts'
import type { LineView } from './view.ts'

/** More new lines than this at a time are a burst: lines arrive faster than anyone can read them. */
export const burstLines = 60

export interface LogStats {
  /** Increases whenever existing lines may have changed; growth at the end does not count. */
  version: number
  lines: number
  bytes: number
  /** Number and seconds of the last line, which are the widest; 0 without lines. */
  lastNumber: number
  lastTime: number
  /** Whether the first line has tenths of seconds; then the column has room for them. */
  tenths: boolean
  /** When the log started, in Unix milliseconds, if known. */
  began: number | undefined
  /** The number of commands whose output can be folded. */
  groups: number
  /** The `pos` of the first entry: how many entries the runner has cut. */
  first: number
  /** Entries that are known to exist and are not here. */
  missing: number
  /** What follows `web session: ` on the first such line. */
  session: string | undefined
  /** The limit that the server ended the log at: `250 MB`. */
  cut: string | undefined
}

export interface SearchState {
  /** The number that the page gave this search. */
  id: number
  count: number
  done: boolean
  /** It was stopped before all lines were searched. */
  halted?: boolean
  error: string | undefined
  /** Which hundredths of the log hold a hit. */
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
  /** From now on the last lines are sent with each `stats`, so a page that follows the end need not request them. */
  | { type: 'tail'; lines: number; raw: boolean }
  /** `only`: of the lines between the two these. */
  | { type: 'text'; id: number; from: number; to: number; plain: boolean; only?: Uint32Array | undefined }
  | { type: 'locate'; id: number; number: number }
  | { type: 'wrap'; id: number; from: number; columns: number }
  | { type: 'hit'; id: number; index: number }
  /** Requests the error lines of the log so far. */
  | { type: 'causes'; id: number; exitCode: number | undefined; known?: Uint8Array | undefined }
  /** Requests the lines that an earlier run, given by its fingerprint, did not have. */
  | { type: 'new lines'; id: number; known: Uint8Array }
  /** The fingerprint of the lines that are here. */
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

/** Between the log's worker and the one that runs patterns, which can be stopped without losing the log. */
export type ToPatternWorker = { type: 'start'; id: number; query: Query; port: MessagePort }
export interface PatternRequest {
  id: number
  from: number
  /** Lines that the next block should have: few while they take long, so that the count grows in sight. */
  most?: number
  /** Triples of line, start and end found in the block before. */
  hits: number[]
}
export interface PatternBlock {
  id: number
  from: number
  /** How many lines. */
  count: number
  /** Joined by line ends: one copy is faster than thousands. More may follow. */
  text: string
  /** There are no more lines. */
  last: boolean
}
/** To the page: a sign of life before each block, so that a pattern that hangs is noticed. */
export type FromPatternWorker = { type: 'beat'; id: number } | { type: 'done'; id: number }
