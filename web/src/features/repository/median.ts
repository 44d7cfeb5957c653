/** The median build time of a repository (specification §9, readings "Repository"). */
import type { Build } from '@flightdeck/api'

const window = 50

/** Seconds from start to finish; `0` while there is no finish, as an unfinished build says nothing about the usual time. */
export const buildSeconds = (build: Build): number =>
  build.started > 0 && build.finished > 0 ? Math.max(0, build.finished - build.started) : 0

const middle = (sorted: readonly number[]): number => {
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/**
 * Of builds, newest first: the median of those among the last 50 that have started; with fewer than three, the newest
 * started one's time. `undefined` when no build has a time yet.
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
