import type { Build, Repo, Stage, Step } from '@flightdeck/api'

/** What the variables of a step are made of. */
export interface EnvironmentContext {
  system: { proto: string; host: string; link: string; version: string }
  repo: Repo
  /** `stages`, if set, show whether another one has failed. */
  build: Build
  /** `steps`, if set, show whether one has failed. */
  stage: Stage
  step?: Pick<Step, 'name' | 'number'>
  /** The folder that a step starts in. */
  workspace?: string
  home?: string
  /** Unix seconds. */
  now: number
}
