/** Bars of the builds chart (specification §2 "Repository page: Builds tab", §9). */
import type { Build } from '@flightdeck/api'

import { isUnfinished } from '../../lib/duration.ts'
import { buildSeconds, medianSeconds } from './median.ts'

export const chartBars = 50
/** Pixels. */
export const chartHeight = 170
/** Pixels, specification §9; `maxBarWidth` is ours: a few builds are bars, not slabs. */
export const minBarWidth = 8
export const maxBarWidth = 24
export const barGap = 12
/** Low enough to say "short", high enough to be seen and hit. */
const minBarHeight = 6
/** Longer than the next one by this factor: it alone would decide how all others look. */
const outlying = 3
/** Of the chart's height, when something is cut: what is not cut stays below it. */
const belowCut = 0.85

export interface Bar {
  build: Build
  /** Pixels. */
  height: number
  /** It took longer than the chart is high. */
  cut: boolean
}

export interface Chart {
  /** The oldest first. */
  bars: Bar[]
  /** The median: its value in seconds, and its height above the baseline in pixels. */
  median: { seconds: number; height: number } | undefined
}

export const isGrowing = ({ status, started, finished }: Build): boolean => isUnfinished(status, started, finished)

/** From start to finish, or to now while it runs. */
export const secondsOf = (build: Build, now: number): number =>
  isGrowing(build) ? Math.max(0, now - build.started) : buildSeconds(build)

/** Seconds at the chart's top. One in five may be cut, and one of three at least: those beyond a leap from the rest. */
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
 * The last 50 builds. Finished ones give the scale: one that hangs grows to the top and stays there, it does not flatten
 * all others.
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
