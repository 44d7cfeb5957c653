import { describe, expect, it } from 'vitest'

import { lastChange, median, quantile } from './statistics.ts'

const times = (count: number, of: (index: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i))
/** Between -1 and 1, the same for each index. */
const noise = (index: number): number => {
  const value = Math.sin(index * 12.9898) * 43758.5453
  return 2 * (value - Math.floor(value)) - 1
}
const around = (seconds: number, spread: number) => (index: number) => Math.round(seconds + spread * noise(index))

describe('a quantile', () => {
  it('is the value below which this part of the values lies', () => {
    expect([median([5, 1, 3]), median([4, 1, 3, 2]), median([7]), median([])]).toEqual([3, 2, 7, 0])
    expect(
      quantile(
        times(100, (i) => i + 1),
        0.9,
      ),
    ).toBe(90)
  })
})

describe('the last change', () => {
  it('is where the durations change, with the medians of both sides', () => {
    const seconds = [...times(40, around(12, 1)), ...times(30, around(31, 2))]
    expect(lastChange(seconds)).toEqual({ at: 40, before: 12, after: 31 })
    expect(lastChange([...times(15, () => 31), ...times(10, () => 12)])).toEqual({ at: 15, before: 31, after: 12 })
  })

  it('is the newest of several, compared with the part directly before it', () => {
    const seconds = [...times(30, () => 10), ...times(30, () => 20), ...times(30, () => 40)]
    expect(lastChange(seconds)).toEqual({ at: 60, before: 20, after: 40 })
  })

  it('does not exist in noise, in a few slow runs, or with fewer than ten on a side', () => {
    for (const count of [25, 100, 500]) expect(lastChange(times(count, around(60, 20)))).toBeUndefined()
    expect(lastChange(times(60, (i) => (i % 20 === 7 ? 3_600 : 12)))).toBeUndefined()
    expect(lastChange([...times(40, () => 10), ...times(9, () => 40)])).toBeUndefined()
    expect(lastChange([...times(9, () => 10), ...times(9, () => 40)])).toBeUndefined()
    expect(lastChange([])).toBeUndefined()
  })

  it('is not shown if it is too small to matter', () => {
    expect(lastChange([...times(50, () => 100), ...times(50, () => 110)])).toBeUndefined()
    expect(lastChange([...times(50, () => 3), ...times(50, () => 4)])).toBeUndefined()
    expect(lastChange([...times(50, () => 3), ...times(50, () => 5)])).toEqual({ at: 50, before: 3, after: 5 })
  })

  it('is found quickly in 500 runs', () => {
    const cpuBefore = process.cpuUsage()
    for (let step = 0; step < 20; step++) lastChange(times(500, around(10 + step, 4)))
    expect(process.cpuUsage(cpuBefore).user / 1000).toBeLessThan(500)
  })
})
