/** How long builds and logs of a repository are kept; our own server's (docs/guide/retention.md). */
import type { Retention, RetentionPatch } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import type { Action } from './action.ts'
import type { RepoAddress } from './actions/builds.ts'
import { ask, isRecord, read } from './own.ts'
import { queryClient } from './query-client.ts'

const pathOf = (namespace: string, name: string): string => `/api/repos${paths.repo(namespace, name)}/retention`

const isLimits = (value: unknown): boolean =>
  isRecord(value) && ['build_days', 'builds', 'log_days', 'log_mb'].every((key) => typeof value[key] === 'number')

const isRetention = ({ own, defaults, next, planned, last }: Record<string, unknown>): boolean =>
  isLimits(own) &&
  isLimits(defaults) &&
  typeof next === 'number' &&
  isRecord(planned) &&
  (last === null || isRecord(last))

export const retentionQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ['retention', namespace, name],
    queryFn: () => read<Retention>(pathOf(namespace, name), isRetention),
  })

export const saveRetention = ({ namespace, name }: RepoAddress): Action<RetentionPatch, Retention> => ({
  name: 'save',
  subject: `retention ${namespace}/${name}`,
  send: async (body) => (await ask('PATCH', pathOf(namespace, name), { body })) as Retention,
  learn: (answer) => queryClient.setQueryData(retentionQuery(namespace, name).queryKey, answer),
  done: 'Retention has been updated',
  failed: 'Unable to update retention',
})
