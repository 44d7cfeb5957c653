/** Where the lines of steps are kept. */
import type { FoundHit, Line, Query } from '@flightdeck/api'
import type { Appended, LogRows } from '../lib/log-rows.ts'

/** How a saved log leaves the server: the bytes of the file as they are. */
export interface SavedLog {
  body: ReadableStream<Uint8Array>
  /** `gzip` when the bytes are compressed. */
  encoding: 'gzip' | 'identity'
  /** Bytes, where known. */
  size?: number
}

/** A complete log that is not visible yet. */
export interface ReceivedLog {
  /** From now on this is the log of the step, and the live log ends. */
  commit(): Promise<void>
  drop(): Promise<void>
}

export interface StepFound {
  /** When the log started, in Unix milliseconds, if the log contains it. */
  began?: number
  count: number
  /** The first ones. */
  hits: FoundHit[]
}

/**
 * `unread`: there is no log, or it is damaged. `stopped`: the pattern took too long on a line, or
 * the search timed out.
 */
export type StepResult = StepFound | 'unread' | { stopped: 'pattern' | 'time' }

export interface Searcher {
  /** Identifies a person; guests by their address. */
  name: string
  isGuest: boolean
}

/** A running search. The caller closes it. */
export interface LogSearch {
  /**
   * In the first existing log of these steps, also if it is still written. At most `maxHits` are
   * returned. For a long log intermediate results come first, repeatedly; the last result is the
   * one that counts.
   */
  step(stepIds: readonly number[], maxHits: number): AsyncIterable<StepResult>
  close(): void
}

/**
 * One file per step. While it is written: `[{…}` then `\n,{…}`; at the end `]` and gzip. A line is
 * in the file before any reader sees it.
 */
export interface LogStore {
  /** Opens the live log of a step; an existing part of it is continued after its last whole row. */
  open(stepId: number): Promise<void>
  /**
   * Appends, then sends to followers in batches of at most 20 ms. Throws
   * `Refusal(500, 'stream: not found')` if not open.
   */
  append(stepId: number, lines: readonly Line[] | LogRows): Promise<Appended>
  /** Resolves when the lines received so far survive a power failure. Rejects if the disk fails. */
  sync(stepId: number): Promise<void>
  /** Closes the live log: `]`, gzip; followers end. No error if it is closed or absent. */
  close(stepId: number): Promise<void>
  /** Stores a whole log as it comes (a remote runner's upload); it counts once it is kept. */
  receive(stepId: number, content: AsyncIterable<Uint8Array>): Promise<ReceivedLog>
  /** `null` while the step is live or never had a log. */
  read(stepId: number): Promise<SavedLog | null>
  /**
   * What lines the saved log had, in little (`readFingerprint` of @flightdeck/cause); `null` as
   * `read`.
   */
  fingerprint(stepId: number): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * Waits for its turn; `null` if the signal was aborted first; aborting also ends a running
   * search. Refuses with 429 if too many searches of this person wait. The pattern must compile
   * (`compile`).
   */
  search(searcher: Searcher, query: Query, signal: AbortSignal): Promise<LogSearch | null>
  /**
   * Waits until the step is no longer live, or the signal is aborted. Only a live step needs a
   * signal, which has a cost.
   */
  closed(stepId: number, signalOf: () => AbortSignal): Promise<void>
  /**
   * All rows from the start of the file, then live ones, as stored (`log-rows.ts`): each chunk
   * starts with `[` or `\n,`. Ends when the log is closed. `null` if not live.
   */
  follow(stepId: number, signal: AbortSignal): AsyncIterable<Uint8Array> | null
  /**
   * Shares the closed log of a step with another step; each can be removed separately. Does nothing
   * if files cannot be shared.
   */
  share(from: number, to: number): Promise<void>
  remove(stepId: number): Promise<void>
  /**
   * Bytes of the step's saved log; 0 where there is none. `freed`: those that removing it frees,
   * since logs can share a file.
   */
  size(stepId: number): Promise<{ bytes: number; freed: number }>
  /** The step ids of all log files, a few hundred at a time. */
  stored(): AsyncIterable<number[]>
  /** The number of readers of each live log, by step id. */
  readers(): Record<string, number>
  /** At shutdown: releases all live logs as they are. `recover` closes them at the next start. */
  stop(): Promise<void>
  /**
   * At server start: truncates every unfinished file to its last whole row and closes it, except
   * those of steps in `live`.
   */
  recover(live?: ReadonlySet<number>): Promise<void>
}
