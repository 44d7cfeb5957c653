/**
 * The scroll position in a log, relative to its text: pixel offsets change when lines above are
 * added or removed.
 */
import { contentHeight, rowHeight, type Rows } from './viewport.ts'

/** A line, and how many pixels below its top the viewport starts; negative: above it. */
export interface ScrollPosition {
  line: number
  offset: number
}

/**
 * The bottom of the viewport is at the bottom of this line: used when following stops, whatever the
 * viewport's height.
 */
export interface PositionFromEnd {
  lastLine: number
}

/** The rendered part of a log, in pixels. */
export interface Layout {
  rows: Rows
  /** The line with which the rows start. */
  first: number
  /** The height of the viewport. */
  height: number
  /** The heights of the rows are known. */
  exact: boolean
}

/** The maximum scroll offset. */
export const endOf = ({ rows, height }: Layout): number =>
  Math.max(0, contentHeight({ rows: rows.rowOf(rows.count), height }) - height)

/** Where a line starts. */
export const topOfLine = ({ rows, first }: Layout, line: number): number => rows.rowOf(line - first) * rowHeight

export const positionAt = ({ rows, first }: Layout, y: number): ScrollPosition => {
  const line = rows.lineAt(Math.floor(y / rowHeight))
  return { line: first + line, offset: y - rows.rowOf(line) * rowHeight }
}

/** The same position, relative to the top of the viewport. */
export const fromAbove = (layout: Layout, position: ScrollPosition | PositionFromEnd): ScrollPosition => {
  if ('line' in position) return position
  const { lastLine: line } = position
  return { line, offset: topOfLine(layout, line + 1) - topOfLine(layout, line) - layout.height }
}

/** The scroll offset for a position; it can be beyond the end while line heights are unknown. */
export const topOfPosition = (layout: Layout, position: ScrollPosition | PositionFromEnd): number => {
  const { line, offset } = fromAbove(layout, position)
  const top = topOfLine(layout, line) + offset
  return Math.max(0, layout.exact ? Math.min(top, endOf(layout)) : top)
}
