/** Screen rows of a log with only some lines shown. */
import { binarySearch } from '../../../lib/binary-search.ts'
import type { Rows } from './viewport.ts'

/** The index of this line in the list, or of the next listed one. */
export const placeIn = (lines: ArrayLike<number>, line: number): number =>
  binarySearch(lines.length, (index) => (lines[index] ?? 0) >= line)

export const isIn = (lines: ArrayLike<number>, line: number): boolean => lines[placeIn(lines, line)] === line

/** The first row of each line, with one more at the end. */
const startsOf = (base: Rows, lines: ArrayLike<number>): Uint32Array => {
  const starts = new Uint32Array(lines.length + 1)
  let row = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? 0
    row += base.rowOf(line + 1) - base.rowOf(line)
    starts[index + 1] = row
  }
  return starts
}

/** `lines` in order. `wrapped`: each line can take more than one row. */
export const filteredRows = (base: Rows, lines: ArrayLike<number>, wrapped: boolean): Rows => {
  const starts = wrapped ? startsOf(base, lines) : undefined
  const last = Math.max(0, lines.length - 1)
  const indexOf = (row: number): number => {
    if (!starts) return row
    const after = placeIn(starts, row)
    return starts[after] === row ? after : after - 1
  }
  return {
    count: base.count,
    rowOf: (line) => {
      const index = placeIn(lines, line)
      return starts ? (starts[index] ?? 0) : index
    },
    lineAt: (row) => lines[Math.max(0, Math.min(indexOf(row), last))] ?? 0,
    next: (line) => lines[placeIn(lines, line + 1)] ?? base.count,
  }
}
