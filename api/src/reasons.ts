/** Ours alone: words for why something waits, was skipped, or ended before its time. */

/**
 * Flightdeck only: why something was skipped or ended early. Other servers don't send it; a client that doesn't know a newer
 * server's reason shows its text.
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
  /** `canceled`, `declined`: by whom, and when. */
  by?: string
  at?: number
}

/** What a condition left out of a build, and why. */
export interface LeftOut {
  name: string
  text: string
}

/**
 * Flightdeck only: why a stage, or a build without a running stage, is waiting. Other servers don't send it; a client that
 * doesn't know a newer server's reason shows its text.
 */
export interface Waiting {
  reason: 'approval' | 'dependency' | 'paused' | 'runner' | 'limit' | 'place' | 'start'
  /** The reason as a sentence. */
  text: string
  /** `place`: which one it is, from 1, of how many that wait for the same runners. */
  position?: number
  of?: number
  /** `place`: how many of these runners' places are taken. */
  busy?: number
  places?: number
  /** `limit`: what it applies to, and how many can run at the same time. */
  scope?: 'pipeline' | 'repository'
  limit?: number
  /** `dependency`: the names of what is not over yet. */
  stages?: string[]
  /** `runner`: what there is none for. */
  needs?: RunnerNeeds
  /** `start`: the machine that has accepted it. */
  machine?: string
}

/** What a runner must be to take a stage; empty and absent are the same. */
export interface RunnerNeeds {
  kind?: string
  type?: string
  os?: string
  arch?: string
  variant?: string
  kernel?: string
  labels?: Record<string, string>
}
