/** The median build time of a repository (specification §9, readings "Repository"). */
import type { Build } from '@flightdeck/api'

const window = 50

/**
 * Seconds from start to finish; `0` for an unfinished build, which says nothing about the usual
 * duration.
 */
export const buildSeconds = (build: Build): number =>
  build.started > 0 && build.finished > 0 ? Math.max(0, build.finished - build.started) : 0

const middle = (sorted: readonly number[]): number => {
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/**
 * The median of the started builds among the last 50 (newest first); with fewer than three, the
 * duration of the newest started one. `undefined` if no build has a duration yet.
 */
export const medianSeconds = (builds: readonly Build[]): number | undefined => {
  const timed = builds.slice(0, window).filter((build) => build.started > 0 && build.finished > 0)
  const newest = timed[0]
  if (!newest) return undefined
  if (timed.length < 3) return buildSeconds(newest)
  return middle(timed.map(buildSeconds).toSorted((a, b) => a - b))
}

/** Whole minutes, rounded down; `< 1` under a minute. */
export const medianMinutes = (seconds: number): string => (seconds < 60 ? '< 1' : String(Math.floor(seconds / 60)))
