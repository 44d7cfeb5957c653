import { expect, test } from 'vitest'

import { linesIn, plainRows, windowOf, wrappedLines, type Rows } from './viewport.ts'
import { filteredRows, isIn, placeIn } from './filtered-rows.ts'

test('a line has a position in the list, whether it is listed or not', () => {
  const lines = Uint32Array.of(3, 7, 8)
  expect([0, 3, 4, 7, 8, 9].map((line) => placeIn(lines, line))).toEqual([0, 0, 1, 1, 2, 3])
  expect([0, 3, 4, 8, 9].map((line) => isIn(lines, line))).toEqual([false, true, false, true, false])
  expect(isIn(new Uint32Array(0), 0)).toBe(false)
})

/** The expected result for every row, computed without optimization. */
const check = (heights: readonly number[], chosen: readonly number[]) => {
  const starts = [0]
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height)
  const isWrapped = heights.some((height) => height !== 1)
  const base: Rows = isWrapped ? wrappedLines(starts, heights.length) : plainRows(heights.length)
  const rows = filteredRows(base, Uint32Array.from(chosen), isWrapped)
  const drawn = chosen.flatMap((line) => Array.from({ length: heights[line] ?? 0 }, () => line))
  expect(drawn.map((_, row) => rows.lineAt(row))).toEqual(drawn)
  expect(chosen.map((line) => rows.rowOf(line))).toEqual(chosen.map((line) => drawn.indexOf(line)))
  expect(rows.rowOf(rows.count)).toBe(drawn.length)
  expect(linesIn(rows, { from: 0, to: rows.count })).toEqual(chosen)
  // A hidden line maps to the row of the next shown line.
  for (let line = 0; line < heights.length; line++) {
    const next = chosen.find((candidate) => candidate >= line)
    expect(rows.rowOf(line)).toBe(next === undefined ? drawn.length : drawn.indexOf(next))
  }
  return rows
}

test('filtered lines have consecutive rows, whatever is between them', () => {
  const rows = check(
    Array.from({ length: 100 }, () => 1),
    [0, 1, 40, 41, 99],
  )
  expect(linesIn(rows, windowOf(rows, 40, 20, 0))).toEqual([1, 40, 41])
  check(
    Array.from({ length: 5 }, () => 1),
    [2],
  )
})

test('wrapped lines take as many rows as before', () => {
  check([1, 3, 2, 1, 4, 1], [1, 2, 4])
  check([2, 1, 1], [0, 2])
})
