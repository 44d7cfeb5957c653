/** How far the forge's list of repositories is read, and what is not in it (docs/api/forge.md). */
import { queryOptions } from '@tanstack/react-query'

import { read } from './own.ts'

export interface SyncState {
  /** Repositories that are read, while a sync runs; `total` where the forge says how many there are. */
  done?: number
  total?: number
  /** Why the last sync failed; empty: it did not. */
  error: string
  /** Repositories that were left out, with the reasons: the first 100 of `refused_count`. */
  refused: string[]
  refused_count: number
}

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
    queryFn: () => read<SyncState>('/api/user/sync', isState),
    refetchInterval: syncing ? pollMs : false,
  })
