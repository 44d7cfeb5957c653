import { isDone, type Build } from '@flightdeck/api'
import type { Query } from '@tanstack/react-query'

import { isStatus, queryClient } from '../../api/query-client.ts'
import { isLive } from './merge.ts'

/** A refusal is not asked for again by itself; a server that was away is. */
const mayBeAsked = ({ state }: Query): boolean =>
  state.status !== 'error' || state.data !== undefined || isStatus(state.error, 0, 502, 503, 504)

/** Reads that live events keep true; what may have been missed while the stream was cut is read again. */
export const refetchShown = (): void => {
  void queryClient.invalidateQueries({
    predicate: (query) => isLive(query.queryKey[0]) && mayBeAsked(query),
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
