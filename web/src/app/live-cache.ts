import type { Build, Repo, RepoWithBuild } from '@flightdeck/api'
import type { InfiniteData, Query } from '@tanstack/react-query'

import type { BuildsPage } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import type { Entry } from './merge.ts'

/** The query cache as the merge sees it, and back. The casts hold because a key always belongs to one query function. */
export const toEntry = (query: Query): Entry | undefined => {
  const [endpoint, namespace, name, number] = query.queryKey as [string, string, string, number]
  const data: unknown = query.state.data
  if (data === undefined) return undefined
  switch (endpoint) {
    case 'listRepos':
      return { endpoint, data: data as Repo[] }
    case 'listRecent':
      return { endpoint, data: data as RepoWithBuild[] }
    case 'getRepo':
      return { endpoint, namespace, name, data: data as Repo }
    case 'listBuilds':
      return { endpoint, namespace, name, data: (data as InfiniteData<BuildsPage>).pages }
    case 'getBuild':
      return { endpoint, namespace, name, number, data: data as Build }
    case 'listBranches':
    case 'listDeployments':
      return { endpoint, namespace, name, data: data as Build[] }
    default:
      return undefined
  }
}

/** Writes what the merge changed. The time of the last fetch stays: an event is no reason to call an answer fresh. */
export const writeEntry = (query: Query, entry: Entry): void => {
  const data =
    entry.endpoint === 'listBuilds'
      ? { ...(query.state.data as InfiniteData<BuildsPage>), pages: entry.data }
      : entry.data
  queryClient.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt })
}
