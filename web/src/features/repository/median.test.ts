import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'
import { medianMinutes, medianSeconds } from './median.ts'

const build = (started: number, finished: number) => ({ started, finished }) as Build

test('an odd number of builds takes the one in the middle', () => {
  expect(medianSeconds([build(1, 301), build(1, 61), build(1, 121)])).toBe(120)
})

test('an even number takes the mean of the middle two', () => {
  expect(medianSeconds([build(1, 301), build(1, 61), build(1, 121), build(1, 181)])).toBe(150)
})

test('fewer than three: the newest started one', () => {
  expect(medianSeconds([build(0, 0), build(10, 310), build(10, 20)])).toBe(300)
})

test('only the last 50 count, and those that never ran do not', () => {
  const newest = Array.from({ length: 50 }, () => build(100, 220))
  expect(medianSeconds([...newest, ...Array.from({ length: 200 }, () => build(1, 9999))])).toBe(120)
  expect(medianSeconds([build(0, 50), build(0, 60)])).toBeUndefined()
})

test('an unfinished build does not count with a negative or infinite duration', () => {
  expect(medianSeconds([build(1000, 0), build(10, 130), build(10, 130), build(10, 130)])).toBe(120)
})

test('minutes are rounded down', () => {
  expect(medianMinutes(0)).toBe('< 1')
  expect(medianMinutes(59)).toBe('< 1')
  expect(medianMinutes(60)).toBe('1')
  expect(medianMinutes(179)).toBe('2')
})
