import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore, type Store } from '../../store/open.ts'
import { createRetentionClock } from './retention-clock.ts'

const at = (text: string) => Date.parse(text) / 1000
let store: Store
let now: number
let runs: number
beforeEach(() => {
  store = openStore(':memory:')
  now = at('2026-03-01T12:00:00Z')
  runs = 0
})
afterEach(() => store.close())

const clockOf = (run: () => Promise<void> = async () => void runs++, timeZone = 'UTC') =>
  createRetentionClock({ db: store.db, now: () => now, timeZone, run, everyMs: 3_600_000 })

test('the first run is the night after the first start', async () => {
  const clock = clockOf()
  await clock.checkNow()
  expect(runs).toBe(0)
  expect(await clock.next()).toBe(at('2026-03-02T03:00:00Z'))
  now = at('2026-03-02T02:59:59Z')
  await clock.checkNow()
  expect(runs).toBe(0)
  now = at('2026-03-02T03:00:00Z')
  await clock.checkNow()
  await clock.checkNow()
  expect(runs).toBe(1)
  expect(await clock.next()).toBe(at('2026-03-03T03:00:00Z'))
  await clock.stop()
})

test('three in the morning is meant in the server’s time zone', async () => {
  const clock = clockOf(undefined, 'Asia/Tokyo')
  expect(await clock.next()).toBe(at('2026-03-01T18:00:00Z'))
  await clock.stop()
})

test('a night that was missed is made up for once', async () => {
  const first = clockOf()
  await first.checkNow()
  await first.stop()
  now = at('2026-03-20T12:00:00Z')
  const clock = clockOf()
  await clock.checkNow()
  await clock.checkNow()
  expect(runs).toBe(1)
  await clock.stop()
})

test('a clock that jumps back and forth starts no second run and keeps none from coming', async () => {
  const clock = clockOf()
  await clock.checkNow()
  now = at('2026-03-02T03:10:00Z')
  await clock.checkNow()
  now -= 3600
  await clock.checkNow()
  now += 3600
  await clock.checkNow()
  expect(runs).toBe(1)
  now = at('2030-01-01T00:00:00Z')
  await clock.checkNow()
  expect(runs).toBe(2)
  now = at('2026-03-04T03:00:00Z')
  await clock.checkNow()
  expect(await clock.next()).toBeLessThan(now + 25 * 3600)
  now = at('2026-03-05T03:00:01Z')
  await clock.checkNow()
  expect(runs).toBe(3)
  await clock.stop()
})

test('a run that fails waits for the next night', async () => {
  const clock = clockOf(async () => {
    runs++
    throw new Error('disk full')
  })
  await clock.checkNow()
  now = at('2026-03-02T03:00:00Z')
  await expect(clock.checkNow()).rejects.toThrow('disk full')
  await clock.checkNow()
  expect(runs).toBe(1)
  await clock.stop()
})

test('runs by a timer from its start until it is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const clock = clockOf()
    await clock.checkNow()
    now = at('2026-03-02T03:00:00Z')
    vi.advanceTimersByTime(7_200_000)
    await clock.next()
    expect([runs, vi.getTimerCount()]).toEqual([0, 0])
    clock.start()
    vi.advanceTimersByTime(3_600_000)
    // Joins the run that the timer started.
    await clock.checkNow()
    expect(runs).toBe(1)
    await clock.stop()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
