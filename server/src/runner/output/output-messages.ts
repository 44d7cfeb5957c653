/** The messages between the server and the thread that reads output. */
import type { MaskedSecret } from '../../pipeline/mask.ts'
import type { LogRows } from '../../lib/log-rows.ts'

export type Order =
  /** The secrets of a stage's steps. */
  | { kind: 'stage'; stage: number; secrets: readonly MaskedSecret[] }
  | { kind: 'stage-over'; stage: number }
  /** A step starts, at `began` (Unix milliseconds). */
  | { kind: 'open'; output: number; stage: number; startedAt: number }
  /** The server sends the next one after the reply `done`. */
  | { kind: 'write'; output: number; bytes: Uint8Array<ArrayBuffer> }
  /** The step prints nothing now: show its incomplete line, if it is old enough. */
  | { kind: 'show-incomplete'; output: number }
  | { kind: 'end'; output: number }
  /** The output's log is full, or its step has failed: stop encoding. */
  | { kind: 'drop'; output: number }

export type Answer =
  | { kind: 'rows'; output: number; rows: LogRows }
  /** All rows of the last `write` or `end` have been sent. */
  | { kind: 'done'; output: number }
  /**
   * A line has been incomplete for a while. The server answers with `show-incomplete` if it has
   * nothing left to read.
   */
  | { kind: 'incomplete'; output: number }
  | { kind: 'failed'; output: number; message: string }
