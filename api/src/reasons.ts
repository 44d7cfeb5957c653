/** Flightdeck only: why something is waiting, was skipped or ended early. */

/**
 * Flightdeck only: why something was skipped or ended early. Other servers don't send it; a client
 * that doesn't know a newer server's reason shows its text.
 */
export interface Ended {
  reason:
    | 'needs'
    | 'failure'
    | 'error'
    | 'no-failure'
    | 'early'
    | 'condition'
    | 'canceled'
    | 'superseded'
    | 'timeout'
    | 'restarted'
    | 'declined'
  /** The reason as a sentence, without its time. */
  text: string
  /** `canceled`, `declined`: the login and the time. */
  by?: string
  at?: number
}

/** A stage or step that its conditions exclude, and why. */
export interface LeftOut {
  name: string
  text: string
}

/**
 * Flightdeck only: why a stage, or a build without a running stage, is waiting. Other servers don't
 * send it; a client that doesn't know a newer server's reason shows its text.
 */
export interface Waiting {
  reason: 'approval' | 'dependency' | 'paused' | 'runner' | 'limit' | 'place' | 'start'
  /** The reason as a sentence. */
  text: string
  /**
   * `place`: the position in the queue, from 1, and the length of the queue for the same runners.
   */
  position?: number
  of?: number
  /** `place`: how many slots of these runners are in use. */
  busy?: number
  places?: number
  /** `limit`: what the limit applies to, and how many can run at the same time. */
  scope?: 'pipeline' | 'repository'
  limit?: number
  /** `dependency`: the names of the unfinished dependencies. */
  stages?: string[]
  /** `runner`: the requirements that no runner meets. */
  needs?: RunnerNeeds
  /** `start`: the machine that has accepted the stage. */
  machine?: string
}

/** The requirements of a stage on its runner. Empty and absent are the same. */
export interface RunnerNeeds {
  kind?: string
  type?: string
  os?: string
  arch?: string
  variant?: string
  kernel?: string
  labels?: Record<string, string>
}
