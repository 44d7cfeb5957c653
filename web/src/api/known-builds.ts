/** All builds in the query cache: of lists, cards and opened pages. */
import type { Build, Repo, RepoWithBuild, TopOfRepos } from '@flightdeck/api'

import type { Endpoint, OwnEndpoint } from './keys.ts'
import { flattenBuilds, type BuildsPage } from './queries.ts'
import { queryClient } from './query-client.ts'

interface Address {
  namespace: string
  name: string
}

export interface KnownBuild extends Address {
  build: Build
}

interface Known<T> {
  address: Address
  data: T
}

const read = <T>(endpoint: Endpoint | OwnEndpoint, repo: Address | undefined): Known<T>[] =>
  queryClient
    .getQueriesData<T>({ queryKey: repo ? [endpoint, repo.namespace, repo.name] : [endpoint] })
    .flatMap(([[, namespace, name], data]) =>
      data === undefined ? [] : [{ address: { namespace: String(namespace), name: String(name) }, data }],
    )

/** A list can have ten thousand entries and is scanned at each change. */
const ofList = (repos: readonly (Repo | RepoWithBuild)[], repo: Address | undefined): KnownBuild[] =>
  repos
    .filter(({ namespace, name }) => !repo || (namespace === repo.namespace && name === repo.name))
    .flatMap(({ namespace, name, build }) => (build ? [{ namespace, name, build }] : []))

const lists = ['listBranches', 'listDeployments', 'listPulls', 'listCommitBuilds'] as const
const pagedLists = ['listBranchBuilds', 'listBuilds'] as const

/**
 * The builds in the caches, of one repository or of all. A build can occur several times, the most
 * complete copy last.
 */
export const knownBuilds = (repo?: Address): KnownBuild[] => [
  ...read<TopOfRepos>('listTop', undefined).flatMap(({ data }) => ofList(data.repos, repo)),
  ...read<Repo[]>('listRepos', undefined).flatMap(({ data }) => ofList(data, repo)),
  ...read<RepoWithBuild[]>('listRecent', undefined).flatMap(({ data }) => ofList(data, repo)),
  ...lists.flatMap((endpoint) =>
    read<Build[]>(endpoint, repo).flatMap(({ address, data }) => data.map((build) => ({ ...address, build }))),
  ),
  ...pagedLists.flatMap((endpoint) =>
    read<{ pages: BuildsPage[] }>(endpoint, repo).flatMap(({ address, data }) =>
      flattenBuilds(data.pages).map((build) => ({ ...address, build })),
    ),
  ),
  ...read<Build>('getBuild', repo).map(({ address, data }) => ({ ...address, build: data })),
]

/**
 * Whether a build of the repository is known to be running: the newest copy of each build decides,
 * since not every list receives its end.
 */
export const anyRuns = (repo: Address): boolean => {
  const newest = new Map<number, Build>()
  for (const { build } of knownBuilds(repo)) {
    const before = newest.get(build.number)
    if (!before || !(build.version < before.version)) newest.set(build.number, build)
  }
  return [...newest.values()].some(({ status }) => status === 'running')
}
