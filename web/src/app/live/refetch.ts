import { isDone, type Build } from '@flightdeck/api'
import type { Query } from '@tanstack/react-query'

import { isStatus, queryClient } from '../../api/query-client.ts'
import { isLive } from './merge.ts'

/** A refusal is not asked for again by itself; a server that was away is. */
const wasAway = ({ state }: Query): boolean => state.status === 'error' && isStatus(state.error, 0, 502, 503, 504)
const isKnown = ({ state }: Query): boolean => state.status !== 'error' || state.data !== undefined

/**
 * What may have been missed while the stream was cut is read again: reads that live events keep true, and all that failed since
 * nobody answered. Who is signed in is asked before. What nobody shows yet is forgotten, so that its page asks when it is drawn:
 * the builds of a repository that had to be read first.
 */
export const refetchShown = (): void => {
  const hasFailed = (query: Query): boolean => wasAway(query) && query.queryKey[0] !== 'getUser'
  queryClient.removeQueries({ type: 'inactive', predicate: (query) => hasFailed(query) && !isKnown(query) })
  void queryClient.invalidateQueries({
    predicate: (query) => hasFailed(query) || (isLive(query.queryKey[0]) && isKnown(query)),
  })
}

const isBuild = (value: unknown): value is Build => typeof value === 'object' && value !== null && 'status' in value

/** What is shown of a build that goes on was read before the stream stood: its next step may have been told to nobody. */
export const refetchGoingOn = (streamStood: number): void => {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state: { data, dataUpdatedAt } }) =>
      queryKey[0] === 'getBuild' && isBuild(data) && !isDone(data.status) && dataUpdatedAt < streamStood,
  })
}
