/**
 * Which lines of a long log are visible. Browsers limit the height of elements, so beyond that
 * limit the scroll range is scaled: `top` is the offset in the log, `scrollTop` that of the scroll
 * bar.
 */
import { binarySearch } from '../../../lib/binary-search.ts'

export const rowHeight = 20
/** Firefox's limit is about 17.9 million pixels, other browsers' limits are higher. */
export const tallest = 8_000_000

export interface Geometry {
  /** The number of screen rows; with wrapping, more than lines. */
  rows: number
  /** The height of the viewport in pixels. */
  height: number
}

export const contentHeight = ({ rows }: Geometry): number => rows * rowHeight
export const scrollHeight = (geometry: Geometry): number => Math.min(contentHeight(geometry), tallest)

/** Pixels of the log per pixel of the scroll bar: 1 up to the limit. */
export const scaleOf = (geometry: Geometry): number => {
  const range = scrollHeight(geometry) - geometry.height
  return range <= 0 ? 1 : (contentHeight(geometry) - geometry.height) / range
}

export const topOf = (geometry: Geometry, scrollTop: number): number => Math.max(0, scrollTop) * scaleOf(geometry)
export const scrollTopOf = (geometry: Geometry, top: number): number => Math.max(0, top) / scaleOf(geometry)

/** Line numbers and screen rows; without wrapping they are the same. */
export interface Rows {
  count: number
  /** The screen row on which a line starts; for `count` the number of rows. */
  rowOf: (line: number) => number
  /** The line that a screen row belongs to. */
  lineAt: (row: number) => number
  /** The next visible line after this one. */
  next: (line: number) => number
}

const following = (line: number): number => line + 1

export const plainRows = (count: number): Rows => ({
  count,
  rowOf: (line) => Math.min(line, count),
  lineAt: (row) => Math.max(0, Math.min(row, count - 1)),
  next: following,
})

/**
 * Wrapped lines: `starts[i]` is the row on which line i starts, with one more at the end. Lines
 * beyond `known` count as one row each until they are measured.
 */
export const wrappedLines = (starts: ArrayLike<number>, known: number, count = known): Rows => {
  const end = starts[known] ?? 0
  return {
    count,
    rowOf: (line) => (line <= known ? (starts[line] ?? 0) : end + Math.min(line, count) - known),
    lineAt: (row) => {
      if (row >= end) return Math.max(0, Math.min(known + row - end, count - 1))
      return Math.max(0, binarySearch(known, (line) => (starts[line] ?? 0) > row) - 1)
    },
    next: following,
  }
}

export interface Window {
  from: number
  /** The line after the last one. */
  to: number
}

/** The lines to render: the visible ones and a few around them. */
export const windowOf = (rows: Rows, height: number, top: number, overscan = 12): Window => {
  const from = rows.lineAt(Math.floor(top / rowHeight) - overscan)
  const to = rows.lineAt(Math.ceil((top + height) / rowHeight) + overscan) + 1
  return { from, to: Math.min(to, rows.count) }
}

/** The shown lines of a window. */
export const linesIn = (rows: Rows, { from, to }: Window): number[] => {
  const lines: number[] = []
  // The line at the start of the viewport may be folded itself.
  for (let line = rows.next(from - 1); line < to; line = rows.next(line)) lines.push(line)
  return lines
}
