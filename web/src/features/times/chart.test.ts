import { expect, it } from 'vitest'

import { barsOf, chartSize } from './chart.ts'

const run = (build: number, seconds: number, passed = true) => ({ build, seconds, passed })

it('draws each run in proportion to its duration, the newest on the right', () => {
  const bars = barsOf([run(1, 10), run(2, 20), run(3, 40, false)])
  expect(bars.map(({ build, passed }) => [build, passed])).toEqual([
    [1, true],
    [2, true],
    [3, false],
  ])
  const heights = bars.map(({ height }) => height)
  // Whole pixels.
  expect(Math.abs((heights[1] ?? 0) - 2 * (heights[0] ?? 0))).toBeLessThanOrEqual(1)
  expect(bars.every(({ y, height }) => y + height === chartSize.height)).toBe(true)
  const last = bars.at(-1)
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(chartSize.width)
})

it('is not flattened by one run, and shows runs of zero seconds', () => {
  const bars = barsOf([...Array.from({ length: 40 }, (_, i) => run(i, 10)), run(40, 9_000), run(41, 0)])
  expect(bars[0]?.height).toBeGreaterThan(20)
  expect(bars[40]?.height).toBe(chartSize.height)
  expect(bars[41]?.height).toBe(2)
})

it('shows as many as can be distinguished', () => {
  const bars = barsOf(Array.from({ length: 500 }, (_, i) => run(i, 10)))
  expect([bars[0]?.build, bars.length]).toEqual([380, 120])
  expect(bars.every(({ x }) => x >= 0)).toBe(true)
})
