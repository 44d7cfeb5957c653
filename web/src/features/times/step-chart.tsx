import type { StepRun } from '@flightdeck/api'

import { barsOf, chartSize } from './chart.ts'

/** Decorative: the other columns have the numbers. The mark is where the duration changed. */
export function StepChart({ runs, change }: { runs: readonly StepRun[]; change: number | undefined }) {
  const { width, height } = chartSize
  const bars = barsOf(runs)
  const mark = bars.find(({ build }) => build === change)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className="times-chart" preserveAspectRatio="none">
      {bars.map(({ build, passed, ...place }) => (
        <rect key={build} {...place} data-passed={passed} />
      ))}
      {mark && <line x1={mark.x} x2={mark.x} y1={0} y2={height} />}
    </svg>
  )
}
