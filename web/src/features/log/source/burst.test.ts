import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { emptyStats, type LogMode, type LogSnapshot } from './log-snapshot.ts'
import { burstEndOf, burstOf } from './burst.ts'

/** A log with a line count set by the test. */
const start = (mode: LogMode, phase: LogSnapshot['phase'] = 'idle') => {
  const listeners: (() => void)[] = []
  const now = { lines: 0, phase, version: 0 }
  const log = {
    mode,
    subscribe: (listener: () => void) => {
      listeners.push(listener)
      return () => undefined
    },
    getSnapshot: (): LogSnapshot => ({
      phase: now.phase,
      error: undefined,
      live: undefined,
      stats: { ...emptyStats, lines: now.lines, version: now.version },
      search: undefined,
      broken: undefined,
    }),
  }
  const inBurst = burstOf(log)
  const shownState = burstEndOf(log, inBurst)
  const grow = (lines: number, next = now.phase, version = now.version) => {
    Object.assign(now, { lines: now.lines + lines, phase: next, version })
    for (const listener of listeners) listener()
  }
  return { inBurst, grow, shown: () => shownState.get().stats.lines, shownState }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('lines printed before are not a burst, many lines at once afterwards are', () => {
  const { inBurst, grow } = start('live')
  grow(5000)
  expect(inBurst.get()).toBe(false)
  grow(60)
  expect(inBurst.get()).toBe(false)
  grow(61)
  expect(inBurst.get()).toBe(true)
})

test('a few lines twenty times a second are a burst; the same lines over a longer time are not', () => {
  const printed = (everyMs: number) => {
    const { inBurst, grow } = start('live')
    grow(1)
    for (let turn = 0; turn < 20; turn++) {
      vi.advanceTimersByTime(everyMs)
      grow(10)
    }
    return inBurst.get()
  }
  expect(printed(50)).toBe(true)
  expect(printed(100)).toBe(false)
})

test('a burst lasts while lines arrive, even few, and ends some time after the last', () => {
  const { inBurst, grow } = start('live')
  grow(1)
  grow(100)
  for (let turn = 0; turn < 5; turn++) {
    vi.advanceTimersByTime(399)
    grow(1)
    expect(inBurst.get()).toBe(true)
  }
  // A message about something else, such as requested texts.
  vi.advanceTimersByTime(200)
  grow(0)
  vi.advanceTimersByTime(200)
  expect(inBurst.get()).toBe(false)
})

test('a saved log is a burst while it is read, and not after', () => {
  const { inBurst, grow } = start('saved', 'loading')
  grow(1)
  grow(100)
  expect(inBurst.get()).toBe(true)
  const read = start('saved', 'ready')
  read.grow(1)
  read.grow(100)
  expect(read.inBurst.get()).toBe(false)
})

test('a saved log that arrives at once is a burst as well: its end renders first, then the rest', () => {
  const { inBurst, grow } = start('saved', 'loading')
  grow(250)
  expect(inBurst.get()).toBe(true)
  grow(0, 'ready')
  vi.advanceTimersByTime(400)
  expect(inBurst.get()).toBe(false)
  const short = start('saved', 'loading')
  short.grow(60)
  expect(short.inBurst.get()).toBe(false)
})

test('around the lines a burst renders four times a second, and once more at its end', () => {
  const { grow, shown } = start('live')
  grow(1)
  grow(10)
  expect(shown()).toBe(11)
  grow(500)
  const initial = shown()
  const seen = new Set<number>()
  for (let turn = 0; turn < 20; turn++) {
    vi.advanceTimersByTime(50)
    grow(500)
    seen.add(shown())
  }
  expect([...seen].filter((lines) => lines !== initial)).toHaveLength(4)
  grow(1)
  vi.advanceTimersByTime(400)
  expect(shown()).toBe(511 + 20 * 500 + 1)
})

test('changes other than growth are shown immediately, even in a burst', () => {
  const { grow, shown, shownState } = start('live')
  grow(1)
  grow(500)
  vi.advanceTimersByTime(10)
  grow(500, 'failed')
  expect(shown()).toBe(1001)
  expect(shownState.get().phase).toBe('failed')
  grow(500, 'failed', 1)
  expect(shown()).toBe(1501)
  grow(500)
  expect(shown()).toBe(1501)
})
