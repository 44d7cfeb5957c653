/** How long builds and logs of a repository are kept (Flightdeck only, docs/guide/retention.md). */
import type { Retention, RetentionPatch } from '@flightdeck/api'
import type { Action } from './action.ts'
import type { RepoAddress } from './actions/builds.ts'
import { keyOf } from './keys.ts'
import { ownClient } from './own-client.ts'
import { queryClient } from './query-client.ts'

export const saveRetention = ({ namespace, name }: RepoAddress): Action<RetentionPatch, Retention> => ({
  name: 'save',
  subject: `retention ${namespace}/${name}`,
  send: (body) => ownClient.updateRetention(namespace, name, body),
  updateCache: (answer) => queryClient.setQueryData(keyOf('getRetention', namespace, name), answer),
  done: 'Retention has been updated',
  failed: 'Unable to update retention',
})
