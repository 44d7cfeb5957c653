import { describe, expect, test } from 'vitest'
import {
  plainRows,
  rowHeight,
  scaleOf,
  scrollHeight,
  scrollTopOf,
  tallest,
  topOf,
  windowOf,
  wrappedLines,
} from './viewport.ts'

describe('a log that fits the browser', () => {
  const geometry = { rows: 1000, height: 400 }
  test('is not scaled', () => {
    expect(scaleOf(geometry)).toBe(1)
    expect(topOf(geometry, 123)).toBe(123)
    expect(windowOf(plainRows(1000), 400, 2000, 0)).toEqual({ from: 100, to: 121 })
  })
})

test.each([1_000_000, 10_000_000])('of %i lines, the first and the last are reachable and exact', (rows) => {
  const geometry = { rows, height: 617 }
  expect(scrollHeight(geometry)).toBe(tallest)
  expect(topOf(geometry, 0)).toBe(0)
  const last = topOf(geometry, tallest - 617)
  expect(last).toBeCloseTo(rows * rowHeight - 617, 3)
  expect(windowOf(plainRows(rows), 617, last).to).toBe(rows)
  expect(scrollTopOf(geometry, topOf(geometry, 4_000_000))).toBeCloseTo(4_000_000, 3)
})

test('a short log has no range to scroll', () => {
  expect(scaleOf({ rows: 3, height: 400 })).toBe(1)
  expect(windowOf(plainRows(3), 400, 0)).toEqual({ from: 0, to: 3 })
})

test('wrapped lines', () => {
  const rows = wrappedLines(Uint32Array.from([0, 1, 4, 5]), 3)
  expect([0, 1, 2, 3, 4, 5, 99].map((row) => rows.lineAt(row))).toEqual([0, 1, 1, 1, 2, 2, 2])
  expect([0, 1, 2, 3].map((line) => rows.rowOf(line))).toEqual([0, 1, 4, 5])
})

test('wrapped lines, of which the last two are not measured yet', () => {
  const rows = wrappedLines(Uint32Array.from([0, 1, 4, 5]), 3, 5)
  expect([0, 3, 4, 5, 6, 7, 99].map((row) => rows.lineAt(row))).toEqual([0, 1, 2, 3, 4, 4, 4])
  expect([0, 1, 2, 3, 4, 5, 6].map((line) => rows.rowOf(line))).toEqual([0, 1, 4, 5, 6, 7, 7])
})
