import { ApiError } from '@flightdeck/api'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { watchFailedReads } from './refetch-failed.ts'
import { queryClient } from './query-client.ts'

let status = 0
let looks = 0
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  looks = 0
  vi.stubGlobal('fetch', async () => {
    looks += 1
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response('{}', { status })
  })
  stop = watchFailedReads()
})
afterEach(() => {
  stop()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A component that reads; returns how often it sent the request, and its data. */
const reader = (refusal: () => number) => {
  let requestCount = 0
  const observer = new QueryObserver(queryClient, {
    queryKey: ['getRunners'],
    queryFn: async () => {
      requestCount += 1
      if (refusal() !== 200) throw new ApiError(refusal(), 'refused')
      return 'read'
    },
  })
  const leave = observer.subscribe(() => {})
  return { state: () => [requestCount, observer.getCurrentResult().data], leave }
}

test.each([0, 500, 502, 503, 504])(
  'a first read that failed with %i is repeated once the server answers',
  async (failure) => {
    status = failure
    const { state, leave } = reader(() => (status === 200 ? 200 : failure))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state()).toEqual([1, undefined])
    expect(looks).toBeLessThan(10)
    status = 200
    await vi.advanceTimersByTimeAsync(15_000)
    expect(state()).toEqual([2, 'read'])
    const before = looks
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, state()[0]]).toEqual([before, 2])
    leave()
  },
)

test('a read that failed with 500 on a working server is not repeated', async () => {
  status = 200
  const { state, leave } = reader(() => 500)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([state(), looks]).toEqual([[1, undefined], 1])
  leave()
})

test.each([400, 401, 404])('a read that the server refused with %i is not repeated', async (failure) => {
  status = 200
  const { state, leave } = reader(() => failure)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([state(), looks]).toEqual([[1, undefined], 0])
  leave()
})

test('nothing is fetched once the query has no observers', async () => {
  status = 502
  const { leave } = reader(() => 502)
  await vi.advanceTimersByTimeAsync(3_000)
  leave()
  await vi.advanceTimersByTimeAsync(15_000)
  const before = looks
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toBe(before)
})
