/** Bars of the builds chart (specification §2 "Repository page: Builds tab", §9). */
import type { Build } from '@flightdeck/api'

import { isUnfinished } from '../../lib/duration.ts'
import { buildSeconds, medianSeconds } from './median.ts'

export const chartBars = 50
/** In pixels. */
export const chartHeight = 170
/**
 * In pixels, specification §9; `maxBarWidth` is ours, so that the bars of a few builds are not too
 * wide.
 */
export const minBarWidth = 8
export const maxBarWidth = 24
export const barGap = 12
/** Small enough to mean "short", large enough to see and click. */
const minBarHeight = 6
/** A build that is longer than the next one by this factor would flatten all others. */
const outlying = 3
/** The fraction of the chart's height for the other bars, if one is truncated. */
const belowCut = 0.85

export interface Bar {
  build: Build
  /** In pixels. */
  height: number
  /** The build took longer than the chart shows. */
  cut: boolean
}

export interface Chart {
  /** Oldest first. */
  bars: Bar[]
  /** The median: its value in seconds, and its height above the baseline in pixels. */
  median: { seconds: number; height: number } | undefined
}

export const isGrowing = ({ status, started, finished }: Build): boolean => isUnfinished(status, started, finished)

/** From start to finish, or until now while running. */
export const secondsOf = (build: Build, now: number): number =>
  isGrowing(build) ? Math.max(0, now - build.started) : buildSeconds(build)

/**
 * The seconds at the top of the chart. At most one in five builds is truncated (at least one of
 * three): those far above the rest.
 */
const scaleOf = (seconds: readonly number[]): number => {
  const longestFirst = seconds.toSorted((a, b) => b - a)
  const maxOutliers = longestFirst.length < 3 ? 0 : Math.max(1, Math.floor(longestFirst.length / 5))
  for (let cut = maxOutliers; cut > 0; cut -= 1) {
    const [shortestCut = 0, next = 0] = longestFirst.slice(cut - 1, cut + 1)
    if (next > 0 && shortestCut >= outlying * next) return next / belowCut
  }
  return Math.max(1, longestFirst[0] ?? 0)
}

/**
 * The last 50 builds. Finished ones determine the scale: a hanging build grows to the top and stays
 * there, without flattening the others.
 */
export const chartOf = (newestFirst: readonly Build[], now: number): Chart => {
  const builds = newestFirst.slice(0, chartBars)
  const finished = builds.filter((build) => build.finished > 0)
  const scale = scaleOf((finished.length > 0 ? finished : builds).map((build) => secondsOf(build, now)))
  const heightOf = (seconds: number) => Math.round(Math.min(1, seconds / scale) * chartHeight)
  const median = medianSeconds(builds)
  return {
    bars: builds
      .map((build) => {
        const seconds = secondsOf(build, now)
        return { build, height: Math.max(minBarHeight, heightOf(seconds)), cut: seconds > scale }
      })
      .toReversed(),
    median: median === undefined ? undefined : { seconds: median, height: heightOf(median) },
  }
}
