/** How far the forge's list of repositories is read, and what is not in it (docs/api/forge.md). */
import type { SyncProgress } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { read } from './own.ts'

const isCount = (value: unknown): boolean => value === undefined || typeof value === 'number'
const isState = ({ done, total, error, refused, refused_count }: Record<string, unknown>): boolean =>
  isCount(done) &&
  isCount(total) &&
  typeof error === 'string' &&
  typeof refused_count === 'number' &&
  Array.isArray(refused) &&
  refused.every((text) => typeof text === 'string')

const pollMs = 1_000

/** Read again when a sync begins and ends; each second while one runs. */
export const syncStateQuery = ({ syncing, synced }: { syncing: boolean; synced: number }) =>
  queryOptions({
    queryKey: ['syncState', syncing, synced],
    queryFn: () => read<SyncProgress>('/api/user/sync', isState),
    refetchInterval: syncing ? pollMs : false,
  })
