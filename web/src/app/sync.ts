import { reposQuery, userQuery } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'

/** Specification §4, "Account sync": when `syncing` ends, whoever began it, the list of repositories is read again. */
export const watchSync = (): (() => void) => {
  let before = false
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== 'getUser') return
    const now = queryClient.getQueryData(userQuery().queryKey)?.syncing === true
    const ended = before && !now
    before = now
    if (ended) void queryClient.invalidateQueries({ queryKey: reposQuery().queryKey })
  })
}
