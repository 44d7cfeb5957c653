import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'
import { barsOf, chartHeight } from './chart.ts'

const build = (number: number, started: number, finished: number) => ({ number, started, finished }) as Build

test('the oldest stands at the left and only 50 are drawn', () => {
  const newestFirst = Array.from({ length: 60 }, (_, index) => build(60 - index, 100, 200))
  const numbers = barsOf(newestFirst, 300).map((bar) => bar.build.number)
  expect(numbers).toHaveLength(50)
  expect(numbers[0]).toBe(11)
  expect(numbers.at(-1)).toBe(60)
})

test('the longest finished build fills the chart, others by proportion', () => {
  const heights = barsOf([build(2, 100, 200), build(1, 100, 150)], 0).map((bar) => bar.height)
  expect(heights).toEqual([chartHeight / 2, chartHeight])
})

test('a build that hangs does not flatten the others', () => {
  const heights = barsOf([build(2, 100, 0), build(1, 100, 200)], 1_000_000).map((bar) => bar.height)
  expect(heights).toEqual([chartHeight, chartHeight])
})

test('a build that has not started can still be seen', () => {
  expect(barsOf([build(1, 0, 0)], 500)[0]?.height).toBeGreaterThan(0)
})
