/**
 * The reading position in a log, as a state machine: following the end, at a line, or moving to
 * one; in the last lines or in all. A pure function of previous state and event. Components
 * dispatch events and render the result.
 */
import {
  endOf,
  positionAt,
  topOfPosition,
  type Layout,
  type ScrollPosition,
  type PositionFromEnd,
} from './scroll-position.ts'

/** Specification §9: "Console shows the last 250 lines until 'Show all logs' is clicked". */
const lastLines = 250

export interface Reading {
  /** The number of lines in the log. */
  lines: number
  /** The step is running, so more lines will arrive. */
  live: boolean
  /** The end is followed; `position` is unused then. */
  follow: boolean
  /** All lines are shown, not only the last ones. */
  all: boolean
  /**
   * The first of the last lines when the user left the end: none of them disappears while the user
   * reads.
   */
  frozen: number | undefined
  /** The requested line; a new object for each request. */
  goal: { line: number } | undefined
  position: ScrollPosition | PositionFromEnd
}

export type ReadingEvent =
  | { type: 'grew'; lines: number; live: boolean }
  | { type: 'followed' }
  /** The end is no longer followed; without a position, the view stays where the end was. */
  | { type: 'let go'; position?: ScrollPosition | PositionFromEnd }
  | { type: 'sent to'; line: number }
  /** The same, without a user gesture: the end is still followed. */
  | { type: 'led to'; line: number }
  | { type: 'asked for all' }
  /** The requested line has its position on the page. */
  | { type: 'settled'; position: ScrollPosition | PositionFromEnd }
  /** The user has moved the scroll bar. */
  | { type: 'scrolled'; way: 'up' | 'down' | 'hardly'; atEnd: boolean; position: ScrollPosition }
  /** The user has moved the text. */
  | { type: 'moved'; pixels: number; layout: Layout }

export const startOfReading: Reading = {
  lines: 0,
  live: false,
  follow: true,
  all: false,
  frozen: undefined,
  goal: undefined,
  position: { line: 0, offset: 0 },
}

/** The first line that is shown. */
export const firstShown = ({ lines, all, frozen }: Reading): number => {
  const tail = Math.max(0, lines - lastLines)
  return all ? 0 : Math.min(frozen ?? tail, tail)
}

/** The scroll offset of the window. */
export const topOfWindow = ({ follow, position }: Reading, layout: Layout): number =>
  follow ? endOf(layout) : topOfPosition(layout, position)

const followed = (was: Reading): Reading => ({ ...was, follow: true, goal: undefined, frozen: undefined })

const letGo = (was: Reading, position?: ScrollPosition | PositionFromEnd): Reading => ({
  ...was,
  follow: false,
  frozen: was.live ? firstShown(was) : undefined,
  position: position ?? (was.follow ? { lastLine: Math.max(0, was.lines - 1) } : was.position),
})

const scrolled = (was: Reading, { way, atEnd, position }: Extract<ReadingEvent, { type: 'scrolled' }>): Reading => {
  // While the end is followed, the exact position of the scroll bar does not matter.
  if (was.follow && atEnd) return was
  const next = { ...was, position }
  if (!was.follow && atEnd && way === 'down') return followed(next)
  return was.follow && way === 'up' ? letGo(next, position) : next
}

const moved = (was: Reading, pixels: number, layout: Layout): Reading => {
  const end = endOf(layout)
  const newTop = topOfWindow(was, layout) + pixels
  if (pixels > 0 && newTop >= end) return followed(was)
  return { ...was, position: positionAt(layout, Math.max(0, Math.min(newTop, end))) }
}

const changed = (was: Reading, event: ReadingEvent): Reading => {
  switch (event.type) {
    case 'grew':
      return event.lines === was.lines && event.live === was.live
        ? was
        : { ...was, lines: event.lines, live: event.live }
    case 'followed':
      return followed(was)
    case 'let go':
      return letGo(was, event.position)
    case 'sent to':
    case 'led to':
      return { ...letGo(was), goal: { line: event.line } }
    case 'asked for all':
      return { ...was, all: true }
    case 'settled':
      return { ...was, position: event.position }
    case 'scrolled':
      return scrolled(was, event)
    case 'moved':
      return moved(was, event.pixels, event.layout)
  }
}

/** Hidden lines cannot be link targets and are not read. */
const withinShown = (reading: Reading): Reading => {
  const { goal, position, all, follow } = reading
  // A loading log can have grown beyond it.
  if (goal && goal.line < firstShown(reading) && !all) return { ...reading, all: true }
  const first = firstShown(reading)
  const line = 'line' in position ? position.line : position.lastLine
  return !follow && line < first ? { ...reading, position: { line: first, offset: 0 } } : reading
}

export const reduceReading = (was: Reading, event: ReadingEvent): Reading => {
  const next = changed(was, event)
  return next === was ? was : withinShown(next)
}
