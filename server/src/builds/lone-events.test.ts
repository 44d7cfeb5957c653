/** Which builds a page hears of that came a moment too late. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RepoWithBuild } from '@flightdeck/api'
import { createLoneEvents } from './lone-events.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())
const read = (): Promise<RepoWithBuild> => Promise.reject(new Error('not read'))
const ids = (events: ReturnType<typeof createLoneEvents>) => events.list().map(({ id }) => id)

it('those that were told once within the last five seconds, the oldest first', () => {
  const events = createLoneEvents()
  for (const id of [3, 1, 2, 1]) events.note(id, read)
  expect(events.list()).toEqual([
    { id: 3, read },
    { id: 2, read },
  ])
  vi.advanceTimersByTime(4_999)
  expect(ids(events)).toEqual([3, 2])
  events.note(4, read)
  vi.advanceTimersByTime(1)
  expect(ids(events)).toEqual([4])
})

it('is told anew once it is forgotten', () => {
  const events = createLoneEvents()
  events.note(1, read)
  events.note(1, read)
  vi.advanceTimersByTime(5_000)
  events.list()
  events.note(1, read)
  expect(ids(events)).toEqual([1])
})

it('what is told again counts from then', () => {
  const events = createLoneEvents()
  events.note(1, read)
  vi.advanceTimersByTime(3_000)
  events.note(1, read)
  vi.advanceTimersByTime(3_000)
  events.note(1, read)
  expect(ids(events)).toEqual([])
})

it('of a crowd the last fifty', () => {
  const events = createLoneEvents()
  for (let id = 1; id <= 50; id++) events.note(id, read)
  expect(ids(events)).toHaveLength(50)
  events.note(51, read)
  expect(ids(events)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2))
})
