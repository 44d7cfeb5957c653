/**
 * The messages between the page and the log's worker, about the log (engine/protocol.ts) and its
 * event stream.
 */
import type { StreamEnd } from '../../../api/event-stream.ts'
import type { FromWorker, ToWorker } from '../engine/protocol.ts'

/** One connection at a time: opening one closes the previous one. */
export type ToReader =
  | { type: 'live-open'; connection: number; url: string }
  /** The response is for the user of this page. */
  | { type: 'live-allow'; connection: number }
  | { type: 'live-close'; connection: number }

export type FromReader =
  /**
   * `person`: the user that the server's response is for. Nothing is read before the page allows
   * it.
   */
  | { type: 'live-answer'; connection: number; person: string | null }
  | { type: 'live-opened'; connection: number }
  | { type: 'live-end'; connection: number; end: StreamEnd; hasData: boolean }

export type ToLogWorker = ToReader | ToWorker
export type FromLogWorker = FromReader | FromWorker
