/** How a repository is connected to its forge (docs/api/forge.md). */
import { queryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import { isRecord, read } from './own.ts'

/** What to copy into the forge's webhook form. */
export interface ManualHook {
  url: string
  secret: string
  content_type: string
  events: string[]
  /** The forge's form for it. */
  page: string
}

export interface RepoConnection {
  /** The login of the person whose token is used; empty: nobody's works. */
  acts_as: string
  status_error: string
  /** `manual`: it could not be installed. `seen`: Unix seconds of the last webhook, 0 for never. */
  hook: { state: 'none' | 'installed' | 'manual'; error: string; seen: number; manual?: ManualHook }
  /** `fetched`: Unix seconds, 0 for never. */
  mirror: { fetched: number; bytes: number; error: string }
}

const isManual = (value: unknown): boolean =>
  isRecord(value) &&
  [value['url'], value['secret'], value['content_type'], value['page']].every((text) => typeof text === 'string') &&
  Array.isArray(value['events'])

const isConnection = ({ acts_as, status_error, hook, mirror }: Record<string, unknown>): boolean =>
  typeof acts_as === 'string' &&
  typeof status_error === 'string' &&
  isRecord(hook) &&
  typeof hook['state'] === 'string' &&
  typeof hook['error'] === 'string' &&
  typeof hook['seen'] === 'number' &&
  (hook['manual'] === undefined || isManual(hook['manual'])) &&
  isRecord(mirror) &&
  typeof mirror['bytes'] === 'number' &&
  typeof mirror['fetched'] === 'number' &&
  typeof mirror['error'] === 'string'

export const repoConnectionQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ['connection', namespace, name],
    queryFn: () => read<RepoConnection>(`/api/repos${paths.repo(namespace, name)}/forge`, isConnection),
  })
