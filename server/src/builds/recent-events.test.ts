/** Which recent events a page that subscribes late receives. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRecentEvents } from './recent-events.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())
const ids = (events: ReturnType<typeof createRecentEvents<string>>) => events.list().map(({ id }) => id)

it('the events of the last five seconds, in the order of their last update, each once', () => {
  const events = createRecentEvents<string>()
  for (const id of [3, 1, 2, 1]) events.add(id, `event ${id}`)
  expect(events.list()).toEqual([
    { id: 3, event: 'event 3' },
    { id: 2, event: 'event 2' },
    { id: 1, event: 'event 1' },
  ])
  vi.advanceTimersByTime(4_999)
  expect(ids(events)).toEqual([3, 2, 1])
  events.add(4, 'event 4')
  vi.advanceTimersByTime(1)
  expect(ids(events)).toEqual([4])
})

it('an event that is sent again counts from then, with its last state', () => {
  const events = createRecentEvents<string>()
  events.add(1, 'first')
  vi.advanceTimersByTime(3_000)
  events.add(1, 'second')
  vi.advanceTimersByTime(3_000)
  expect(events.list()).toEqual([{ id: 1, event: 'second' }])
})

it('keeps only the last fifty', () => {
  const events = createRecentEvents<string>()
  for (let id = 1; id <= 50; id++) events.add(id, '')
  expect(ids(events)).toHaveLength(50)
  events.add(51, '')
  expect(ids(events)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2))
})

it('knows what was sent again since', () => {
  const events = createRecentEvents<string>()
  events.add(1, 'first')
  expect(events.isLatest(1, 'first')).toBe(true)
  events.add(1, 'second')
  expect([events.isLatest(1, 'first'), events.isLatest(1, 'second')]).toEqual([false, true])
})
