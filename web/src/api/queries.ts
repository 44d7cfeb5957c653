import type { Build, TopOfRepos } from '@flightdeck/api'
import { buildsPerPage } from '@flightdeck/api/client'
import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query'

import { client } from './client.ts'
import { keyOf, type Endpoint, type Key, type Reads } from './keys.ts'
import { identified } from './person.ts'

type Answer<E extends Endpoint> = Awaited<ReturnType<(typeof client)[E]>>

/**
 * The query of a read endpoint, by its name in the typed client: `queryOf('listUsers')`. Queries
 * that need more options are below.
 */
export const queryOf = <E extends Exclude<Endpoint, 'listBuilds' | 'listBranchBuilds' | 'listTop'>>(
  endpoint: E,
  ...parameters: Reads[E]
) => {
  const call = client[endpoint] as (...given: Reads[E]) => Promise<Answer<E>>
  return queryOptions({ queryKey: keyOf(endpoint, ...parameters), queryFn: () => call(...parameters) })
}

export const userQuery = () =>
  queryOptions({
    queryKey: keyOf('getUser'),
    queryFn: () => identified(client.getUser),
    staleTime: Infinity,
  })
/**
 * Specification §4: "polled every 10 s while syncing is true, until it is false". For one observer:
 * each has a timer.
 */
export const polledUserQuery = () =>
  queryOptions({
    ...userQuery(),
    refetchInterval: (query) => (query.state.data?.syncing ? 10_000 : false),
    refetchIntervalInBackground: true,
  })
export const tokenQuery = () => ({ ...queryOf('createToken'), staleTime: Infinity })
/**
 * Without structural sharing: comparing ten thousand repositories field by field at each event
 * would take longer than a frame, and merging events keeps unchanged objects.
 */
export const reposQuery = () =>
  queryOptions({
    queryKey: keyOf('listRepos'),
    queryFn: async ({ client: cache }) => {
      const answer = await client.listTop()
      if (Array.isArray(answer)) return answer
      cache.setQueryData(topQuery().queryKey, answer)
      return (await import('./remaining-repos.ts')).readRemainingRepos(answer)
    },
    structuralSharing: false,
  })
/** The top of a long list, while the rest is loading. */
export const topQuery = () =>
  queryOptions<TopOfRepos, Error, TopOfRepos, Key<'listTop'>>({ queryKey: keyOf('listTop'), queryFn: skipToken })
/** A page of builds. `full` is what the server sent: live events make a page longer. */
export interface BuildsPage {
  builds: Build[]
  full: boolean
}
export const pagedQuery = <E extends Endpoint>(queryKey: Key<E>, read: (page: number) => Promise<Build[]>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam }): Promise<BuildsPage> => {
      const builds = await read(pageParam)
      return { builds, full: builds.length >= buildsPerPage }
    },
    initialPageParam: 1,
    // Specification §7: "paging stops when a page has fewer than 50".
    getNextPageParam: (last, pages) => (last.full ? pages.length + 1 : undefined),
  })
export const buildsQuery = (namespace: string, name: string) =>
  pagedQuery(keyOf('listBuilds', namespace, name), (page) =>
    client.listBuilds(namespace, name, { page, per_page: buildsPerPage }),
  )
/** All loaded builds, each once: a new build moves the borders of pages that are loaded later. */
export const flattenBuilds = (pages: readonly BuildsPage[]): Build[] => {
  const byNumber = new Map<number, Build>()
  for (const page of pages) {
    for (const build of page.builds) if (!byNumber.has(build.number)) byNumber.set(build.number, build)
  }
  return [...byNumber.values()]
}
