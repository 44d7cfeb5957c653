import { describe, expect, test } from 'vitest'

import { fromAbove, positionAt, topOfPosition, type Layout } from './scroll-position.ts'
import { firstShown, reduceReading, startOfReading, topOfWindow, type Reading, type ReadingEvent } from './reading.ts'
import { plainRows, wrappedLines } from './viewport.ts'

/** A viewport of thirty lines; a line is twenty pixels high. */
const height = 600
const after = (...events: ReadingEvent[]): Reading => events.reduce(reduceReading, startOfReading)
const live = (lines: number): ReadingEvent => ({ type: 'grew', lines, live: true })
const saved = (lines: number): ReadingEvent => ({ type: 'grew', lines, live: false })
const turn = (way: 'up' | 'down', line: number, atEnd = false): ReadingEvent => ({
  type: 'scrolled',
  way,
  atEnd,
  position: { line, offset: 0 },
})
const layoutOf = (reading: Reading): Layout => {
  const first = firstShown(reading)
  return { rows: plainRows(reading.lines - first), first, height, exact: true }
}
/** The line at the top of the viewport. */
const lineInSight = (reading: Reading): number => {
  const layout = layoutOf(reading)
  return positionAt(layout, topOfWindow(reading, layout)).line
}

describe('a reader who opens a log', () => {
  test('sees its end, with the last 250 lines', () => {
    const reading = after(saved(5000))
    expect(firstShown(reading)).toBe(4750)
    expect(lineInSight(reading)).toBe(4970)
  })

  test('sees all of a short one', () => {
    expect(firstShown(after(saved(200)))).toBe(0)
    expect(lineInSight(after(saved(10)))).toBe(0)
  })
})

describe('a reader who follows a growing log', () => {
  test('stays at its end, with the last 250 lines', () => {
    const reading = after(live(100), live(400), live(1000))
    expect(reading.follow).toBe(true)
    expect(firstShown(reading)).toBe(750)
    expect(lineInSight(reading)).toBe(970)
  })

  test('stops following after one turn of the wheel up, and no line is removed any more', () => {
    const reading = after(live(400), turn('up', 350), live(9000))
    expect(reading.follow).toBe(false)
    expect(firstShown(reading)).toBe(150)
    expect(lineInSight(reading)).toBe(350)
  })

  test('keeps following when the scroll bar is moved to the end', () => {
    const reading = after(live(400))
    expect(reduceReading(reading, turn('down', 370, true))).toBe(reading)
    expect(reduceReading(reading, turn('up', 370, true))).toBe(reading)
  })

  test('stops with the button, at the previous end', () => {
    const reading = after(live(400), { type: 'let go' }, live(500))
    expect(reading.follow).toBe(false)
    expect(lineInSight(reading)).toBe(370)
  })

  test('stays at the text where scrolling up started, although the scroll bar has not moved yet', () => {
    const reading = after(live(400), { type: 'let go', position: { line: 369, offset: 3 } }, live(500))
    expect(reading.position).toEqual({ line: 369, offset: 3 })
    expect(lineInSight(reading)).toBe(369)
  })
})

describe('a reader who has scrolled up', () => {
  const up = after(live(400), turn('up', 350))

  test('follows again after scrolling down to the end', () => {
    const reading = reduceReading(up, turn('down', 370, true))
    expect(reading.follow).toBe(true)
    expect(firstShown(reduceReading(reading, live(1000)))).toBe(750)
  })

  test('does not follow after scrolling down a little, or at the end without having scrolled down', () => {
    expect(reduceReading(up, turn('down', 360)).follow).toBe(false)
    expect(reduceReading(up, turn('up', 370, true)).follow).toBe(false)
  })

  test('follows with the button, with End and with "Jump to end"', () => {
    expect(reduceReading(up, { type: 'followed' }).follow).toBe(true)
  })

  test('keeps the visible line when all lines are shown', () => {
    const all = reduceReading(up, { type: 'asked for all' })
    expect(firstShown(all)).toBe(0)
    expect(lineInSight(all)).toBe(350)
  })

  test('is at the first shown line of a saved log that is still loading', () => {
    const reading = after(saved(400), turn('up', 160), saved(1000))
    expect(firstShown(reading)).toBe(750)
    expect(lineInSight(reading)).toBe(750)
    // And stays there when the lines above are shown, too.
    expect(lineInSight(reduceReading(reading, { type: 'asked for all' }))).toBe(750)
  })
})

describe('a reader who opens a link to a line', () => {
  test('does not follow the end, whatever arrives', () => {
    const reading = after(live(400), { type: 'sent to', line: 200 }, live(5000))
    expect(reading.follow).toBe(false)
    expect(reading.goal).toEqual({ line: 200 })
    expect(firstShown(reading)).toBe(150)
  })

  test('gets all lines if it is not among the last ones', () => {
    expect(firstShown(after(saved(400), { type: 'sent to', line: 20 }))).toBe(0)
  })

  test('gets all lines if a loading log grows beyond it', () => {
    const reading = after(
      saved(400),
      { type: 'sent to', line: 200 },
      { type: 'settled', position: { line: 200, offset: -200 } },
    )
    expect(firstShown(reading)).toBe(150)
    expect(firstShown(reduceReading(reading, saved(1000)))).toBe(0)
    expect(lineInSight(reduceReading(reading, saved(1000)))).toBe(190)
  })

  test('can open the same line again', () => {
    const once = after(saved(400), { type: 'sent to', line: 200 })
    expect(reduceReading(once, { type: 'sent to', line: 200 }).goal).not.toBe(once.goal)
  })

  test('does not return there after going to the end', () => {
    const reading = after(saved(400), { type: 'sent to', line: 200 }, { type: 'followed' }, saved(1000))
    expect(reading.goal).toBeUndefined()
    expect(firstShown(reading)).toBe(750)
  })
})

describe('a reader who scrolls by wheel or key if the scroll bar is too coarse', () => {
  const at = (line: number) => after(saved(450_000), { type: 'asked for all' }, turn('up', line))
  const move = (reading: Reading, pixels: number) =>
    reduceReading(reading, { type: 'moved', pixels, layout: layoutOf(reading) })

  test('moves the text by that distance', () => {
    expect(move(at(500), 1).position).toEqual({ line: 500, offset: 1 })
    expect(move(at(500), -30).position).toEqual({ line: 498, offset: 10 })
  })

  test('stops at the first line', () => {
    expect(move(at(500), -Infinity).position).toEqual({ line: 0, offset: 0 })
    expect(move(at(0), -40).position).toEqual({ line: 0, offset: 0 })
  })

  test('follows at the end', () => {
    expect(move(at(500), Infinity).follow).toBe(true)
    // The last thirty lines fill the viewport.
    expect(move(at(449_960), 199).follow).toBe(false)
    expect(move(at(449_960), 200).follow).toBe(true)
  })
})

test('input without effect renders nothing', () => {
  const still = after(saved(1000))
  expect(reduceReading(still, saved(1000))).toBe(still)
})

describe('the position of the same text', () => {
  const position = { line: 2, offset: 5 }

  test('is further down if lines above turn out to be higher', () => {
    const plain: Layout = { rows: plainRows(100), first: 0, height, exact: true }
    const rows = wrappedLines(Uint32Array.from([0, 3, 6, 7]), 3, 100)
    expect(topOfPosition(plain, position)).toBe(45)
    expect(topOfPosition({ ...plain, rows }, position)).toBe(125)
  })

  test('is never beyond the end, once heights are known', () => {
    const short: Layout = { rows: plainRows(31), first: 0, height, exact: true }
    expect(topOfPosition(short, { line: 20, offset: 0 })).toBe(20)
    expect(topOfPosition({ ...short, exact: false }, { line: 20, offset: 0 })).toBe(400)
  })

  test('relative to the bottom and to the top of the viewport', () => {
    const layout: Layout = { rows: plainRows(100), first: 50, height, exact: true }
    expect(topOfPosition(layout, fromAbove(layout, { lastLine: 99 }))).toBe(400)
    const wrapped = { ...layout, first: 0, rows: wrappedLines(Uint32Array.from([0, 40, 80]), 2) }
    expect(topOfPosition(wrapped, { lastLine: 1 })).toBe(1600 - height)
  })
})
