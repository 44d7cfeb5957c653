import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { userQuery } from '../queries.ts'
import { queryClient } from '../query-client.ts'

/**
 * Specification §4: the user is polled while `syncing`; the list is read again when it ends
 * (app/sync.ts).
 */
export const syncRepos: Action<void, unknown> = {
  name: 'sync',
  subject: 'sync',
  send: () => client.syncRepos({ async: true }),
  updateCache: () => {
    const { queryKey } = userQuery()
    const user = queryClient.getQueryData(queryKey)
    if (!user) return
    // A request sent before the sync started would end it here when its response arrives; polling
    // reports the progress.
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, { ...user, syncing: true })
  },
  failed: () => 'Sync error has occured, please, try again',
}
