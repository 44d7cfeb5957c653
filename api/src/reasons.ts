/** Ours alone: words for why something waits, was skipped, or ended before its time. */

/**
 * Ours alone: why something was skipped or ended before its time. Another server sends no such key; who knows no reason of a
 * newer server shows its text.
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
  /** `canceled`, `declined`: who, and when. */
  by?: string
  at?: number
}

/** What a condition left out of a build, and why. */
export interface LeftOut {
  name: string
  text: string
}

/**
 * Ours alone: why a stage, or a build of which nothing runs, does not go on. Another server sends no such key; who knows no
 * reason of a newer server shows its text.
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
  /** `limit`: whose, and how many may be at work at once. */
  scope?: 'pipeline' | 'repository'
  limit?: number
  /** `dependency`: the names of what is not over yet. */
  stages?: string[]
  /** `runner`: what there is none for. */
  needs?: RunnerNeeds
  /** `start`: who has taken it. */
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
