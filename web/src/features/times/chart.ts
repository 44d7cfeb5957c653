/**
 * The runs of a step as a small chart: a bar each, oldest first. Numbers only; `step-chart.tsx`
 * renders them.
 */
import type { StepRun } from '@flightdeck/api'

import { quantile } from './statistics.ts'

export const chartSize = { width: 240, height: 32 }
/** More bars are indistinguishable at this width. */
const maxBars = 120
/** Small enough to mean "short", large enough to be visible. */
const minHeight = 2

export interface ChartBar {
  x: number
  y: number
  width: number
  height: number
  passed: boolean
  build: number
}

/**
 * The newest runs; a run that took longer than nearly all others is truncated, so that it does not
 * flatten them.
 */
export const barsOf = (runs: readonly StepRun[]): ChartBar[] => {
  const shown = runs.slice(-maxBars)
  const top = Math.max(
    1,
    1.25 *
      quantile(
        shown.map(({ seconds }) => seconds),
        0.95,
      ),
  )
  const pitch = Math.min(8, chartSize.width / Math.max(1, shown.length))
  const left = chartSize.width - pitch * shown.length
  return shown.map(({ build, seconds, passed }, index) => {
    const height = Math.max(minHeight, Math.round(Math.min(1, seconds / top) * chartSize.height))
    return { x: left + index * pitch, y: chartSize.height - height, width: pitch * 0.75, height, passed, build }
  })
}
