import { ApiError } from '@flightdeck/api'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { refetchUnfinished, refetchShown } from './refetch.ts'
import { build } from './testing/fixtures.ts'

/** The last parts of the keys of the refetched queries. */
const requestsOf = (refetch: () => void) => {
  const spy = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  refetch()
  const chosen = queryClient.getQueryCache().findAll(spy.mock.lastCall?.[0])
  spy.mockRestore()
  return chosen.map(({ queryKey }) => queryKey.at(-1))
}
const fail = (key: readonly unknown[], error: unknown) =>
  queryClient.fetchQuery({ queryKey: key, queryFn: () => Promise.reject(error) }).catch(() => undefined)

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 })
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

test('after a disconnection only queries that events update are refetched', () => {
  for (const key of [['getBuild', 'acme', 'web', 2], ['getUser'], ['getLog', 1]]) queryClient.setQueryData(key, {})
  expect(requestsOf(refetchShown)).toEqual([2])
})

test('queries are refetched if the server was unreachable, not if it refused', async () => {
  const key = (status: number) => ['getBuild', 'acme', 'web', status]
  const statuses = [0, 502, 503, 504, 400, 401, 403, 404, 500]
  for (const status of statuses) await fail(key(status), new ApiError(status, 'no'))
  await fail(key(1), new Error('another fault'))
  const close = statuses.map((status) =>
    new QueryObserver(queryClient, { queryKey: key(status), retryOnMount: false, enabled: true }).subscribe(() => {}),
  )
  expect(requestsOf(refetchShown)).toEqual([0, 502, 503, 504])
  for (const stop of close) stop()
})

test('failed queries that are not shown are removed: their page fetches them when it renders', async () => {
  const keys = [
    ['listSecrets', 'acme', 'web'],
    ['getUser', 'me'],
    ['listBuilds', 'acme', 'refused'],
  ]
  const [secrets, user, refused] = keys as [string[], string[], string[]]
  await fail(secrets, new ApiError(0, 'Failed to fetch'))
  await fail(user, new ApiError(0, 'Failed to fetch'))
  await fail(refused, new ApiError(404, 'Not Found'))
  refetchShown()
  expect(keys.map((key) => queryClient.getQueryState(key)?.status)).toEqual([undefined, 'error', 'error'])
})

test('data read before a refusal is refetched', async () => {
  const key = ['getBuild', 'acme', 'web', 2]
  queryClient.setQueryData(key, build(2, 'running', 1), { updatedAt: 1 })
  await fail(key, new ApiError(404, 'no'))
  expect(queryClient.getQueryState(key)?.status).toBe('error')
  expect(requestsOf(refetchShown)).toEqual([2])
})

test('once the stream is open, a running build read before it is refetched', () => {
  const keyOf = (number: number) => ['getBuild', 'acme', 'web', number]
  const read = (number: number, data: unknown, updatedAt: number) =>
    queryClient.setQueryData(keyOf(number), data, { updatedAt })
  read(1, build(1, 'running', 1), 4_999)
  read(2, build(2, 'pending', 1), 4_999)
  read(3, build(3, 'success', 1), 4_999)
  read(4, build(4, 'running', 1), 5_000)
  read(5, null, 4_999)
  read(6, 'running', 4_999)
  read(7, {}, 4_999)
  queryClient.setQueryData(['getOther'], build(8, 'running', 1), { updatedAt: 4_999 })
  expect(requestsOf(() => refetchUnfinished(5_000))).toEqual([1, 2])
})
