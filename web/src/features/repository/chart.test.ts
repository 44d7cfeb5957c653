import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'
import { chartHeight, chartOf, secondsOf } from './chart.ts'

const build = (number: number, started: number, finished: number) => ({ number, started, finished }) as Build
/** Newest first. */
const taking = (...seconds: number[]) => seconds.map((each, index) => build(seconds.length - index, 100, 100 + each))
/** Oldest first, as rendered. */
const drawn = (builds: Build[], now = 0) => chartOf(builds, now).bars.map(({ height, cut }) => (cut ? 'cut' : height))

test('the oldest is on the left and only 50 are rendered', () => {
  const newestFirst = Array.from({ length: 60 }, (_, index) => build(60 - index, 100, 200))
  const numbers = chartOf(newestFirst, 300).bars.map((bar) => bar.build.number)
  expect(numbers).toHaveLength(50)
  expect(numbers[0]).toBe(11)
  expect(numbers.at(-1)).toBe(60)
})

test('the longest finished build fills the chart, others by proportion', () => {
  expect(drawn(taking(100, 50))).toEqual([chartHeight / 2, chartHeight])
})

test('a hanging build does not flatten the others, and is truncated', () => {
  const { bars } = chartOf([build(2, 100, 0), build(1, 100, 200)], 1_000_000)
  expect(bars.map(({ height }) => height)).toEqual([chartHeight, chartHeight])
  expect(bars.map(({ cut }) => cut)).toEqual([false, true])
})

test('a build that was declined after its first stage ran has a fixed duration', () => {
  const declined = { ...build(2, 100, 0), status: 'declined' } as Build
  expect(secondsOf(declined, 1_000_000)).toBe(0)
  const heightAt = (now: number) => chartOf([declined, build(1, 100, 200)], now).bars[1]?.height
  expect(heightAt(1_000_000)).toBe(heightAt(101))
})

test('a build that has not started is still visible', () => {
  expect(chartOf([build(1, 0, 0)], 500).bars[0]?.height).toBeGreaterThan(0)
})

test('a build that took much longer than all others is truncated; the others keep their proportions', () => {
  const [first, ...rest] = drawn(taking(20, 10, 20, 600))
  expect(first).toBe('cut')
  expect(rest).toEqual([
    Math.round(chartHeight * 0.85),
    Math.round(chartHeight * 0.425),
    Math.round(chartHeight * 0.85),
  ])
})

test('nothing is truncated if long builds are common, close to the rest, or there is nothing to compare with', () => {
  expect(drawn(taking(600, 600, 600, 20, 20))).not.toContain('cut')
  expect(drawn(taking(20, 30, 59))).not.toContain('cut')
  expect(drawn(taking(20, 600))).not.toContain('cut')
  expect(drawn(taking(5, 0, 0))).not.toContain('cut')
})

test('two of ten can be truncated', () => {
  expect(drawn(taking(600, 10, 10, 10, 900, 10, 10, 10, 10, 10)).filter((bar) => bar === 'cut')).toHaveLength(2)
})

test('the median has its line, in the same proportion', () => {
  expect(chartOf(taking(10, 20, 40), 0).median).toEqual({ seconds: 20, height: chartHeight / 2 })
  expect(chartOf([build(1, 0, 0)], 500).median).toBeUndefined()
})
