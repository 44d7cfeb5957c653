import { isDone, type Build } from '@flightdeck/api'
import type { Query } from '@tanstack/react-query'

import { isStatus, queryClient } from '../../api/query-client.ts'
import { isLive } from './merge.ts'

/** A query is refetched if the server was unreachable, but not if it refused the request. */
const wasAway = ({ state }: Query): boolean => state.status === 'error' && isStatus(state.error, 0, 502, 503, 504)
const isKnown = ({ state }: Query): boolean => state.status !== 'error' || state.data !== undefined

/**
 * After a disconnection, refetches queries that may have missed events: those kept up to date by
 * live events, and all that failed because the server was unreachable. The session is checked
 * first. Inactive failed queries are removed, so that they are fetched on mount: for example, the
 * builds of a repository that had to be read first.
 */
export const refetchShown = (): void => {
  const hasFailed = (query: Query): boolean => wasAway(query) && query.queryKey[0] !== 'getUser'
  queryClient.removeQueries({ type: 'inactive', predicate: (query) => hasFailed(query) && !isKnown(query) })
  void queryClient.invalidateQueries({
    predicate: (query) => hasFailed(query) || (isLive(query.queryKey[0]) && isKnown(query)),
  })
}

const isBuild = (value: unknown): value is Build => typeof value === 'object' && value !== null && 'status' in value

/**
 * Refetches running builds read before the stream connected: their next step's event may have been
 * missed.
 */
export const refetchUnfinished = (streamStood: number): void => {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state: { data, dataUpdatedAt } }) =>
      queryKey[0] === 'getBuild' && isBuild(data) && !isDone(data.status) && dataUpdatedAt < streamStood,
  })
}
