/** Runners and what waits for them: ours alone. */
import type { RunnerNeeds, Waiting } from './reasons.ts'

/** A stage that runs or waits for a runner, and where it is shown. */
export interface QueueItem {
  stage_id: number
  namespace: string
  name: string
  /** Numbers, as in addresses. */
  build: number
  stage: number
  stage_name: string
  status: 'pending' | 'running'
  /** The runner that has it; empty: none. */
  machine: string
  created: number
  started: number
  waiting?: Waiting
}

/** A runner, identified by address, program and the stages it accepts. */
export interface RunnerState {
  builtin: boolean
  address: string
  /** The names that it gave, the last one first. */
  machines: string[]
  /** Empty if it doesn't report one. */
  version: string
  filter: RunnerNeeds
  /** It has asked within the last minute, or has a stage. */
  present: boolean
  /** When it asked last. */
  asked: number
  /** The number of parallel stages, as observed so far. */
  places: number
  busy: number
  runs: QueueItem[]
}

/** The Docker runner that the server keeps itself (`--docker`). */
export interface ManagedRunnerState {
  /** As stages show it. */
  name: string
  image: string
  /** `working`: it polls for work, or is running a stage. */
  state: 'starting' | 'working' | 'failing'
  /** What went wrong last; there where it fails. */
  error?: string
  /** Unix seconds. */
  since: number
  filter: RunnerNeeds
}

export interface RunnersState {
  paused: boolean
  runners: RunnerState[]
  /** What runs, then what waits, oldest first; the first ones of very many. */
  queue: QueueItem[]
  total: number
  /** There where the server was started with `--docker`. */
  kept?: ManagedRunnerState
}

/** Ours alone: answer of `GET /api/runners`. */
export interface Runners extends RunnersState {
  /** What a runner elsewhere must know; `secret`: there is one. */
  rpc: { proto: string; host: string; secret: boolean }
  /** How to start this server again with `--docker`, and what could be run then; only where it has none. */
  dockerStart?: { command: string; filter: RunnerNeeds }
}
