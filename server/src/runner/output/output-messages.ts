/** What the server and the thread that reads output say to each other. */
import type { MaskedSecret } from '../../pipeline/mask.ts'
import type { LogRows } from '../../lib/log-rows.ts'

export type Order =
  /** The secrets of a stage's steps. */
  | { kind: 'stage'; stage: number; secrets: readonly MaskedSecret[] }
  | { kind: 'stage-over'; stage: number }
  /** A step starts, at `began` (Unix milliseconds). */
  | { kind: 'open'; output: number; stage: number; began: number }
  /** The next one is sent after the answer `taken`. */
  | { kind: 'write'; output: number; bytes: Uint8Array<ArrayBuffer> }
  /** The step prints nothing now: show its incomplete line, if that has waited for its end. */
  | { kind: 'beginning'; output: number }
  | { kind: 'end'; output: number }
  /** The output's log is full, or its step has failed: stop encoding it. */
  | { kind: 'drop'; output: number }

export type Answer =
  | { kind: 'rows'; output: number; rows: LogRows }
  /** All rows of the last `write` or of the `end` have been sent. */
  | { kind: 'taken'; output: number }
  /** The beginning of a line has waited for its end. It is shown when `beginning` says that nothing is left to read. */
  | { kind: 'incomplete'; output: number }
  | { kind: 'failed'; output: number; message: string }
