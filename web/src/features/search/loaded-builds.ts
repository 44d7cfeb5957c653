import type { Build, Repo, RepoWithBuild } from '@flightdeck/api'

import { flattenBuilds, type BuildsPage } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import type { LoadedBuild } from './loaded.ts'

type Address = Pick<LoadedBuild, 'namespace' | 'name'>

interface Known<T> {
  address: Address
  data: T
}

const read = <T>(endpoint: string): Known<T>[] =>
  queryClient
    .getQueriesData<T>({ queryKey: [endpoint] })
    .flatMap(([[, namespace, name], data]) =>
      data === undefined ? [] : [{ address: { namespace: String(namespace), name: String(name) }, data }],
    )

const ofAll = (repos: readonly (Repo | RepoWithBuild)[]): LoadedBuild[] =>
  repos.flatMap(({ namespace, name, build }) => (build ? [{ namespace, name, build }] : []))

/** What the caches know at this moment, the most exact last. */
export const loadedBuilds = (): LoadedBuild[] => [
  ...read<Repo[]>('listRepos').flatMap(({ data }) => ofAll(data)),
  ...read<RepoWithBuild[]>('listRecent').flatMap(({ data }) => ofAll(data)),
  ...['listBranches', 'listDeployments'].flatMap((endpoint) =>
    read<Build[]>(endpoint).flatMap(({ address, data }) => data.map((build) => ({ ...address, build }))),
  ),
  ...read<{ pages: BuildsPage[] }>('listBuilds').flatMap(({ address, data }) =>
    flattenBuilds(data.pages).map((build) => ({ ...address, build })),
  ),
  ...read<Build>('getBuild').map(({ address, data }) => ({ ...address, build: data })),
]
