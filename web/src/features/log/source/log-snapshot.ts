/** The state of a step's log, for components. */
import type { LogStats, SearchState } from '../engine/protocol.ts'
import type { LiveState } from './live-stream.ts'

export type LogMode = 'none' | 'live' | 'saved'

export interface LogSnapshot {
  phase: 'idle' | 'loading' | 'ready' | 'failed'
  error: string | undefined
  live: LiveState | undefined
  stats: LogStats
  search: SearchState | undefined
  /** The worker that holds the log has failed. */
  broken: Error | undefined
}

/** The stats of an empty log. */
export const emptyStats: LogStats = {
  version: 0,
  lines: 0,
  bytes: 0,
  lastNumber: 0,
  lastTime: 0,
  tenths: false,
  began: undefined,
  groups: 0,
  first: 0,
  missing: 0,
  session: undefined,
  cut: undefined,
}
export const emptySnapshot: LogSnapshot = {
  phase: 'idle',
  error: undefined,
  live: undefined,
  stats: emptyStats,
  search: undefined,
  broken: undefined,
}
