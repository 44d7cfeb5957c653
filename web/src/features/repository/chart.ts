/** Bars of the builds chart (specification §2 "Repository page: Builds tab", §9). Widths are the style sheet's work. */
import type { Build } from '@flightdeck/api'

export const chartBars = 50
/** Pixels. */
export const chartHeight = 170
/** Low enough to say "short", high enough to be seen and hit. */
const lowestBar = 6

export interface Bar {
  build: Build
  /** Pixels. */
  height: number
}

/** From start to finish, or to now while it runs. */
const seconds = (build: Build, now: number): number =>
  build.started > 0 ? Math.max(0, (build.finished || now) - build.started) : 0

/**
 * The last 50 builds, oldest at the left. The longest finished build gives the scale: one that hangs grows to the top
 * and stays there, it does not flatten all others.
 */
export const barsOf = (newestFirst: readonly Build[], now: number): Bar[] => {
  const builds = newestFirst.slice(0, chartBars)
  const finished = builds.filter((build) => build.finished > 0)
  const scale = Math.max(1, ...(finished.length > 0 ? finished : builds).map((build) => seconds(build, now)))
  const heightOf = (build: Build) => Math.min(1, seconds(build, now) / scale) * chartHeight
  return builds.map((build) => ({ build, height: Math.max(lowestBar, Math.round(heightOf(build))) })).toReversed()
}
