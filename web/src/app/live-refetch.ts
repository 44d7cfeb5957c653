import type { Query } from '@tanstack/react-query'

import { isStatus, queryClient } from '../api/query-client.ts'

/** Reads that live events keep true; what may have been missed while the stream was cut is read again. */
const isLive = new Set([
  'listRepos',
  'listRecent',
  'getRepo',
  'listBuilds',
  'getBuild',
  'listBranches',
  'listDeployments',
])

/** A refusal is not asked for again by itself; a server that was away is. */
const mayBeAsked = ({ state }: Query): boolean =>
  state.status !== 'error' || state.data !== undefined || isStatus(state.error, 0, 502, 503, 504)

export const refetchShown = (): void => {
  void queryClient.invalidateQueries({
    predicate: (query) => isLive.has(String(query.queryKey[0])) && mayBeAsked(query),
  })
}
