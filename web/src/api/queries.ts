import type { Build } from '@flightdeck/api'
import { buildsPerPage } from '@flightdeck/api/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import { keyOf } from './keys.ts'
import { identified } from './person.ts'

/** Query options, one per reading call. The key is the endpoint's name and its parameters (keys.ts). */
export const userQuery = () =>
  queryOptions({
    queryKey: keyOf('getUser'),
    queryFn: () => identified(client.getUser),
    staleTime: Infinity,
  })
/** Specification §4: "polled every 10 s while syncing is true, until it is false". For one observer: each has a timer. */
export const polledUserQuery = () =>
  queryOptions({
    ...userQuery(),
    refetchInterval: (query) => (query.state.data?.syncing ? 10_000 : false),
    refetchIntervalInBackground: true,
  })
export const tokenQuery = () =>
  queryOptions({ queryKey: keyOf('createToken'), queryFn: client.createToken, staleTime: Infinity })
/** Ten thousand repositories compared field by field at each event would take longer than a frame: the merge knows better. */
export const reposQuery = () =>
  queryOptions({ queryKey: keyOf('listRepos'), queryFn: client.listRepos, structuralSharing: false })
export const recentQuery = () => queryOptions({ queryKey: keyOf('listRecent'), queryFn: client.listRecent })

export const repoQuery = (namespace: string, name: string) =>
  queryOptions({ queryKey: keyOf('getRepo', namespace, name), queryFn: () => client.getRepo(namespace, name) })

/** A page of builds. `full` is what the server sent, for live events make a page longer than it was. */
export interface BuildsPage {
  builds: Build[]
  full: boolean
}
export const buildsQuery = (namespace: string, name: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('listBuilds', namespace, name),
    queryFn: async ({ pageParam }): Promise<BuildsPage> => {
      const builds = await client.listBuilds(namespace, name, pageParam)
      return { builds, full: builds.length >= buildsPerPage }
    },
    initialPageParam: 1,
    // Specification §7: "paging stops when a page has fewer than 50".
    getNextPageParam: (last, pages) => (last.full ? pages.length + 1 : undefined),
  })
/** All loaded builds, each once: a new build moves the borders of pages that are loaded later. */
export const flattenBuilds = (pages: readonly BuildsPage[]): Build[] => {
  const byNumber = new Map<number, Build>()
  for (const page of pages) {
    for (const build of page.builds) if (!byNumber.has(build.number)) byNumber.set(build.number, build)
  }
  return [...byNumber.values()]
}

export const buildQuery = (namespace: string, name: string, number: number) =>
  queryOptions({
    queryKey: keyOf('getBuild', namespace, name, number),
    queryFn: () => client.getBuild(namespace, name, number),
  })
const latestQuery = (endpoint: 'listBranches' | 'listDeployments') => (namespace: string, name: string) =>
  queryOptions({ queryKey: keyOf(endpoint, namespace, name), queryFn: () => client[endpoint](namespace, name) })
export const branchesQuery = latestQuery('listBranches')
export const deploymentsQuery = latestQuery('listDeployments')
export const secretsQuery = (namespace: string, name: string) =>
  queryOptions({ queryKey: keyOf('listSecrets', namespace, name), queryFn: () => client.listSecrets(namespace, name) })
export const cronQuery = (namespace: string, name: string) =>
  queryOptions({ queryKey: keyOf('listCron', namespace, name), queryFn: () => client.listCron(namespace, name) })
export const collaboratorsQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: keyOf('listCollaborators', namespace, name),
    queryFn: () => client.listCollaborators(namespace, name),
  })
/** Asked once per page: nothing but using it up changes it. */
export const invitationQuery = (value: string) =>
  queryOptions({
    queryKey: keyOf('findInvitation', value),
    queryFn: () => client.findInvitation(value),
    staleTime: Infinity,
  })
export const usersQuery = () => queryOptions({ queryKey: keyOf('listUsers'), queryFn: client.listUsers })
