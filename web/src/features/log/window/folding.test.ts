import { describe, expect, test } from 'vitest'
import { foldedRows, groupOf, hiddenBy } from './folding.ts'
import { LogModel } from '../engine/model.ts'
import { viewLine } from '../engine/view.ts'
import { linesIn, plainRows, windowOf, wrappedLines } from '../reading/viewport.ts'

describe('groups', () => {
  const model = new LogModel()
  const outputs = ['Cloning', '+ npm ci', 'added 3', '+ npm test', 'ok', 'done', '+ true']
  model.add(outputs.map((out, pos) => ({ pos, out: `${out}\n`, time: pos * 2 })))

  test('start with each command', () => {
    expect([...model.groupStarts()]).toEqual([1, 3, 6])
    expect(model.groups).toBe(3)
  })
  test('end with the next one, and last until then', () => {
    expect([0, 1, 2, 3, 6].map((line) => viewLine(model, line, false, []).group)).toEqual([
      undefined,
      { end: 3, seconds: 4, last: false },
      undefined,
      { end: 6, seconds: 6, last: false },
      { end: 7, seconds: 0, last: true },
    ])
  })
  test('a plus in the middle of a line is not a command, nor one after a joined chunk', () => {
    const other = new LogModel()
    other.add([
      { pos: 0, out: 'a\n+', time: 0 },
      { pos: 1, out: ' b\n1 + 2\n+ c', time: 0 },
    ])
    expect([...other.groupStarts()]).toEqual([3])
  })
  test('move when late entries are inserted before them', () => {
    const other = new LogModel()
    other.add([{ pos: 5, out: '+ b\n', time: 0 }])
    other.add([{ pos: 1, out: '+ a\nx\n', time: 0 }])
    expect([...other.groupStarts()]).toEqual([0, 2])
  })
  test('contain lines', () => {
    expect([0, 1, 2, 3, 5, 6].map((line) => groupOf([1, 3, 6], line))).toEqual([undefined, 1, 1, 3, 3, 6])
  })
})

test('what folding hides', () => {
  expect(hiddenBy(new Set([3, 6, 1]), [1, 3, 6, 7], 20)).toEqual([
    { from: 2, to: 3 },
    { from: 4, to: 6 },
  ])
  expect(hiddenBy(new Set([7, 99]), [1, 3, 6, 7], 20)).toEqual([{ from: 8, to: 20 }])
})

/** The expected result for every row, computed without optimization. */
const check = (heights: number[], hidden: { from: number; to: number }[]) => {
  const starts = [0]
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height)
  const isPlain = heights.every((height) => height === 1)
  const rows = foldedRows(isPlain ? plainRows(heights.length) : wrappedLines(starts, heights.length), hidden)
  const shown = heights
    .map((_, line) => line)
    .filter((line) => !hidden.some(({ from, to }) => line >= from && line < to))
  expect(linesIn(rows, { from: 0, to: heights.length })).toEqual(shown)
  let row = 0
  for (const line of shown) {
    expect(rows.rowOf(line)).toBe(row)
    for (let i = 0; i < (heights[line] ?? 0); i++) expect(rows.lineAt(row++)).toBe(line)
  }
  expect(rows.rowOf(heights.length)).toBe(row)
  return rows
}

test('rows of a folded log', () => {
  const plain = Array.from({ length: 30 }, () => 1)
  check(plain, [])
  check(plain, [{ from: 2, to: 5 }])
  check(plain, [
    { from: 2, to: 5 },
    { from: 6, to: 20 },
    { from: 21, to: 30 },
  ])
  check(
    [1, 3, 2, 1, 4, 1, 1, 2],
    [
      { from: 1, to: 3 },
      { from: 4, to: 5 },
    ],
  )
  const rows = check(plain, [{ from: 1, to: 29 }])
  expect(linesIn(rows, windowOf(rows, 400, 0))).toEqual([0, 29])
})
