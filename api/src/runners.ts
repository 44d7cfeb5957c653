/** Flightdeck only: runners and the queue. */
import type { RunnerNeeds, Waiting } from './reasons.ts'

/** A stage that is running or waiting for a runner, with what the page shows of it. */
export interface QueueItem {
  stage_id: number
  namespace: string
  name: string
  /** Numbers, as in URLs. */
  build: number
  stage: number
  stage_name: string
  status: 'pending' | 'running'
  /** The runner that has accepted it; empty: none. */
  machine: string
  created: number
  started: number
  waiting?: Waiting
}

/** A runner, identified by address, program and the stages it accepts. */
export interface RunnerState {
  builtin: boolean
  address: string
  /** The names that it has reported, the last one first. */
  machines: string[]
  /** Empty if it doesn't report one. */
  version: string
  filter: RunnerNeeds
  /** It has polled within the last minute, or is running a stage. */
  present: boolean
  /** The time of its last poll. */
  asked: number
  /** The number of slots, as observed so far. */
  places: number
  busy: number
  runs: QueueItem[]
}

/** The Docker runner that the server starts itself (`--docker`). */
export interface ManagedRunnerState {
  /** The name, as stages show it. */
  name: string
  image: string
  /** `working`: it polls for work, or is running a stage. */
  state: 'starting' | 'working' | 'failing'
  /** The last error, while `failing`. */
  error?: string
  /** Unix seconds. */
  since: number
  filter: RunnerNeeds
}

export interface RunnersState {
  paused: boolean
  runners: RunnerState[]
  /** Running stages, then waiting ones, oldest first; limited in number. */
  queue: QueueItem[]
  total: number
  /** Present if the server was started with `--docker`. */
  kept?: ManagedRunnerState
}

/** Flightdeck only: the response of `GET /api/runners`. */
export interface Runners extends RunnersState {
  /** The settings for a remote runner. `secret`: whether the server has a shared secret. */
  rpc: { proto: string; host: string; secret: boolean }
  /**
   * The command that restarts this server with `--docker`, and what it could run then. Absent if it
   * already has a Docker runner.
   */
  dockerStart?: { command: string; filter: RunnerNeeds }
}
