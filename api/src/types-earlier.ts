/** Data of earlier builds about a build and its steps, and search results. */
import type { Build } from './types-builds.ts'

/** Recent durations in seconds: the median, the 10th and the 90th percentile. */
export interface UsualTime {
  count: number
  median: number
  low: number
  high: number
}

/**
 * Flightdeck only: the response of `GET /api/repos/{namespace}/{name}/builds/{number}/usual`. Steps
 * with too few runs are omitted.
 */
export interface UsualTimes {
  build?: UsualTime
  steps: (UsualTime & { stage: string; step: string })[]
}

/** The duration of a step in one build. */
export interface StepRun {
  build: number
  seconds: number
  passed: boolean
}

/**
 * Flightdeck only: the response of `GET /api/repos/{namespace}/{name}/times?branch=`: the newest
 * 500 builds of a branch, but at most 10,000 step runs.
 */
export interface RepoTimes {
  branch: string
  /** Oldest first, like the runs. */
  builds: { number: number; commit: string; created: number }[]
  /** The steps with the most runs, at most 200. Canceled and skipped runs do not count. */
  steps: { stage: string; step: string; runs: StepRun[] }[]
}

/** A failed step of any repository. */
export interface FailedPlace {
  slug: string
  number: number
  stage: number
  step: number
  created: number
}

/** What earlier builds say about a failed step. Data with too few cases is omitted. */
export interface StepHistory {
  stage: number
  step: number
  /**
   * Builds that failed with the same line, including this one, in repositories that the user can
   * read.
   */
  seen?: {
    times: number
    /** There are more builds than were counted. */
    more?: true
    repos: number
    since: number
    /** The newest before this one. */
    places: FailedPlace[]
    /** The build in which the failure last disappeared, and its commit. */
    ended?: { slug: string; number: number; commit: string }
  }
  /**
   * The newest other build in which the step passed on the same commit with the same parameters and
   * target.
   */
  passed?: { build: number; stage: number; step: number }
  /**
   * The last runs of the step on its branch, or on `branch`, failed (including this one) and
   * passed.
   */
  runs?: {
    branch?: string
    count: number
    failed: number
    /** Commits on which it both failed and passed with everything else unchanged. */
    mixed: { commit: string; failed: number; passed: number }[]
  }
}

/**
 * Flightdeck only: the response of `GET …/builds/{number}/history`, for the first ten failed steps.
 */
export interface BuildHistory {
  steps: StepHistory[]
}

/**
 * Flightdeck only: the response of `GET …/builds/{number}/logs/{stage}/{step}/known`: where the
 * step last passed, on this branch or else on the default branch, and the lines of its log there.
 * `null` if it has never passed.
 */
export interface KnownLines {
  build: number
  stage: number
  step: number
  /** A fingerprint (`readFingerprint` of @flightdeck/cause) in Base64. */
  lines: string
}

/** A build in search results, with its repository. */
export interface SearchedBuild {
  namespace: string
  name: string
  build: Build
}

/** Flightdeck only: the response of `GET /api/search?text=`, with a list per kind of result. */
export interface SearchAnswer {
  /** Builds with this number first, then the newest; at most 20. */
  builds: {
    items: SearchedBuild[]
    /** There can be more. */
    more: boolean
    /** The index does not have all old builds yet. */
    indexing: boolean
  }
}
