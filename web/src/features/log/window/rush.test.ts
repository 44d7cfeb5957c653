import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { LogMode, LogSnapshot } from '../source/log-store.ts'
import { rushOf } from './rush.ts'

const stats = {
  version: 0,
  bytes: 0,
  lastNumber: 0,
  lastTime: 0,
  tenths: false,
  began: undefined,
  groups: 0,
  first: 0,
  missing: 0,
  session: undefined,
  cut: undefined,
}

/** A log whose lines the test counts. */
const start = (mode: LogMode, phase: LogSnapshot['phase'] = 'idle') => {
  let tell = (): void => undefined
  const now = { lines: 0, phase }
  const rushing = rushOf({
    mode,
    subscribe: (listener) => {
      tell = listener
      return () => undefined
    },
    getSnapshot: () => ({
      phase: now.phase,
      error: undefined,
      live: undefined,
      stats: { ...stats, lines: now.lines },
      search: undefined,
      broken: undefined,
    }),
  })
  const grow = (lines: number, next = now.phase) => {
    Object.assign(now, { lines: now.lines + lines, phase: next })
    tell()
  }
  return { rushing, grow }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what was printed so far is no rush, what comes at once afterwards is', () => {
  const { rushing, grow } = start('live')
  grow(5000)
  expect(rushing.get()).toBe(false)
  grow(60)
  expect(rushing.get()).toBe(false)
  grow(61)
  expect(rushing.get()).toBe(true)
})

test('a rush goes on while lines come, few as they may be, and ends a while after the last', () => {
  const { rushing, grow } = start('live')
  grow(1)
  grow(100)
  for (let turn = 0; turn < 5; turn++) {
    vi.advanceTimersByTime(399)
    grow(1)
    expect(rushing.get()).toBe(true)
  }
  // Told of something else, such as texts that were asked for.
  vi.advanceTimersByTime(200)
  grow(0)
  vi.advanceTimersByTime(200)
  expect(rushing.get()).toBe(false)
})

test('a saved log rushes in while it is read, and not after', () => {
  const { rushing, grow } = start('saved', 'loading')
  grow(1)
  grow(100)
  expect(rushing.get()).toBe(true)
  const read = start('saved', 'ready')
  read.grow(1)
  read.grow(100)
  expect(read.rushing.get()).toBe(false)
})
