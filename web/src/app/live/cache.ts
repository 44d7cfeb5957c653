/** Merges events into the query cache. */
import type { Query } from '@tanstack/react-query'

import type { Key } from '../../api/keys.ts'
import { reposQuery } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { isOf, type BuildEventMessage } from './merge-lists.ts'
import { isLive, merges, type IsKnown, type LiveAnswers, type LiveEndpoint } from './merge.ts'

type LiveQuery<E extends LiveEndpoint> = Query<LiveAnswers[E], Error, LiveAnswers[E], Key<E>>

/** True because a key always belongs to one query function (queries.ts). */
const isQueryOf = <E extends LiveEndpoint>(endpoint: E, query: Query | LiveQuery<E>): query is LiveQuery<E> =>
  query.queryKey[0] === endpoint

const parametersOf = <E extends LiveEndpoint>([, ...parameters]: Key<E>) => parameters

const isKnown: IsKnown = (event) =>
  queryClient.getQueryData(reposQuery().queryKey)?.some((repo) => isOf(repo, event)) ?? false

/** Merges all events together. If that fails, merges them one by one and skips those that fail. */
const mergeWhatCan = <T>(
  data: T,
  events: readonly BuildEventMessage[],
  merge: (data: T, events: readonly BuildEventMessage[]) => T,
): T => {
  try {
    return merge(data, events)
  } catch {
    if (events.length === 1) return data
    return events.reduce((merged, event) => mergeWhatCan(merged, [event], merge), data)
  }
}

const mergeAnswer = <E extends LiveEndpoint>(
  endpoint: E,
  query: LiveQuery<E>,
  events: readonly BuildEventMessage[],
): void => {
  const { data, dataUpdatedAt } = query.state
  if (data === undefined) return
  const parameters = parametersOf(query.queryKey)
  const merged = mergeWhatCan(data, events, (known, some) => merges[endpoint](known, parameters, some, isKnown))
  // The time of the last fetch stays the same: an event does not make a response fresh.
  if (merged !== data) query.setData(merged, { updatedAt: dataUpdatedAt, manual: true })
}

/** Merges events into the data of these queries. */
export const mergeInto = (queries: readonly Query[], events: readonly BuildEventMessage[]): void => {
  for (const query of queries) {
    const [endpoint] = query.queryKey
    if (isLive(endpoint) && isQueryOf(endpoint, query)) mergeAnswer(endpoint, query, events)
  }
}
