/** What is known of a build and its steps from earlier builds, and what a search finds. */
import type { Build } from './types-builds.ts'

/** Seconds that something took lately: the middle, and the range of eight in ten. */
export interface UsualTime {
  count: number
  median: number
  low: number
  high: number
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/builds/{number}/usual`; what has too few cases is left out. */
export interface UsualTimes {
  build?: UsualTime
  steps: (UsualTime & { stage: string; step: string })[]
}

/** How long a step of a stage took in one build. */
export interface StepRun {
  /** The build's number. */
  build: number
  seconds: number
  passed: boolean
}

/** Ours alone: answer of `GET /api/repos/{namespace}/{name}/times?branch=`: the newest 500 builds of a branch, as far as 10,000 runs of steps go. */
export interface RepoTimes {
  branch: string
  /** The oldest first, as the runs. */
  builds: { number: number; commit: string; created: number }[]
  /** Those with the most runs, 200 at most; those that were cancelled or skipped do not count. */
  steps: { stage: string; step: string; runs: StepRun[] }[]
}

/** A failed step, in whichever repository. */
export interface FailedPlace {
  slug: string
  number: number
  stage: number
  step: number
  created: number
}

/** What is known of a failed step from before; what has too few cases is left out. */
export interface StepHistory {
  stage: number
  step: number
  /** Builds that failed with the same line, this one among them, in repositories that the reader may see. */
  seen?: {
    times: number
    /** There are more than were counted. */
    more?: true
    repos: number
    since: number
    /** The newest before this one. */
    places: FailedPlace[]
    /** The build with which it last went away, and its commit. */
    ended?: { slug: string; number: number; commit: string }
  }
  /** The newest other build in which the step passed on the same commit with the same parameters and target. */
  passed?: { build: number; stage: number; step: number }
  /** The last runs of the step on its branch, or on `branch`: those that failed, this one among them, and those that passed. */
  runs?: {
    branch?: string
    count: number
    failed: number
    /** Commits on which it failed and passed, with nothing else changed. */
    mixed: { commit: string; failed: number; passed: number }[]
  }
}

/** Ours alone: answer of `GET …/builds/{number}/history`; the first ten steps that failed. */
export interface BuildHistory {
  steps: StepHistory[]
}

/**
 * Ours alone: answer of `GET …/builds/{number}/logs/{stage}/{step}/known`: where the step last passed, on this branch or else
 * on the default branch, and what lines its log had there. `null` where it never did.
 */
export interface KnownLines {
  build: number
  stage: number
  step: number
  /** Base 64 of a fingerprint (`readFingerprint` of @flightdeck/cause). */
  lines: string
}

/** A build that a search found, and where it is. */
export interface SearchedBuild {
  namespace: string
  name: string
  build: Build
}

/** Ours alone: answer of `GET /api/search?text=`, with a list for each kind of what can be found. */
export interface SearchAnswer {
  /** Those with the number first, then the newest; 20 at most. */
  builds: {
    items: SearchedBuild[]
    /** There may be others. */
    more: boolean
    /** Builds from before the index are still being indexed. */
    indexing: boolean
  }
}
