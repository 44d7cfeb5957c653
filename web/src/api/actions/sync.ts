import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { userQuery } from '../queries.ts'
import { queryClient } from '../query-client.ts'

/** Specification §4: the user is polled while `syncing`; the list is read again when it ends (app/sync.ts). */
export const syncRepos: Action<void, unknown> = {
  name: 'sync',
  subject: 'sync',
  send: () => client.syncRepos(),
  learn: () => queryClient.setQueryData(userQuery().queryKey, (user) => user && { ...user, syncing: true }),
  failed: () => 'Sync error has occured, please, try again',
}
