import type { Build, Repo, Stage, Step } from '@flightdeck/api'

/** The input for the variables of a step. */
export interface EnvironmentContext {
  system: { proto: string; host: string; link: string; version: string }
  repo: Repo
  /** `stages`, if set, tell whether another stage has failed. */
  build: Build
  /** `steps`, if set, tell whether a step has failed. */
  stage: Stage
  step?: Pick<Step, 'name' | 'number'>
  /** The working directory of a step. */
  workspace?: string
  home?: string
  /** Unix seconds. */
  now: number
}
