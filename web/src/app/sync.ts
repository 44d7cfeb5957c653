import { reposQuery, userQuery } from '../api/queries.ts'
import { isStatus, queryClient } from '../api/query-client.ts'
import { toast } from '../ui/toast.ts'

/**
 * Specification §4, "Account sync": when `syncing` ends, the repository list is refetched, even if
 * another client started the sync. A failed poll is reported, once per series of failures.
 */
export const watchSync = (): (() => void) => {
  let before = false
  let wasReported = false
  return queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryKey[0] !== 'getUser' || type !== 'updated') return
    const state = queryClient.getQueryState(userQuery().queryKey)
    const now = state?.data?.syncing === true
    const failed = state?.status === 'error' && !isStatus(state.error, 401)
    if (now && failed && !wasReported) toast.error('Sync error has occured, please, try again')
    wasReported = failed
    if (before && !now) void queryClient.invalidateQueries({ queryKey: reposQuery().queryKey })
    before = now
  })
}
