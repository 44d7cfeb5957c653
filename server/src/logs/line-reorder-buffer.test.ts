import type { Line } from '@flightdeck/api'
import { expect, test } from 'vitest'
import type { LogRows } from '../lib/log-rows.ts'
import { createLineReorderBuffer } from './line-reorder-buffer.ts'

const lines = (from: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => ({ pos: from + index, out: `${from + index}\n`, time: 0 }))
const rows = (pos: number, count: number) => ({ pos, count }) as LogRows
const positions = (taken: readonly Line[]): number[] => taken.map(({ pos }) => pos)

test('lines after a gap wait until it is filled, and duplicates are dropped', () => {
  const arrivals = createLineReorderBuffer(0)
  expect(positions(arrivals.take(lines(2, 2)))).toEqual([])
  expect(arrivals.holds).toBe(true)
  expect(positions(arrivals.take(lines(0, 2)))).toEqual([0, 1, 2, 3])
  expect(arrivals.holds).toBe(false)
  expect(positions(arrivals.take(lines(2, 3)))).toEqual([4])
})

test('buffers lines up to the limit; one more skips the gap', () => {
  const arrivals = createLineReorderBuffer(0)
  expect(arrivals.take(lines(1, 5_000))).toEqual([])
  expect(arrivals.holds).toBe(true)
  expect(arrivals.take(lines(5_001, 1))).toHaveLength(5_001)
  expect(arrivals.holds).toBe(false)
  expect(positions(arrivals.take(lines(0, 1)))).toEqual([])
})

test('buffers megabytes up to the limit; more of them skip the gap', () => {
  const arrivals = createLineReorderBuffer(0)
  const long = (pos: number): Line => ({ pos, out: 'x'.repeat(1024 * 1024), time: 0 })
  expect(arrivals.take([1, 2, 3, 4, 5].map(long))).toEqual([])
  expect(positions(arrivals.take([long(0)]))).toEqual([0, 1, 2, 3, 4, 5])
  // What has left the buffer does not count.
  expect(arrivals.take([7, 8, 9, 10, 11].map(long))).toEqual([])
  expect(positions(arrivals.take([long(12)]))).toEqual([7, 8, 9, 10, 11, 12])
  expect(arrivals.holds).toBe(false)
})

test('rows pass unbuffered only if they are next and no line is waiting', () => {
  const arrivals = createLineReorderBuffer(0)
  expect(arrivals.pass(rows(1, 2))).toBe(false)
  expect(arrivals.pass(rows(0, 2))).toBe(true)
  arrivals.take(lines(4, 1))
  expect(arrivals.pass(rows(2, 1))).toBe(false)
  expect(positions(arrivals.giveUp())).toEqual([4])
  expect(arrivals.pass(rows(5, 1))).toBe(true)
})
