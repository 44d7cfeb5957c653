import type { Build, Repo } from '@flightdeck/api'
import { flattenBuilds, type BuildsPage } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { address } from './address.ts'
import { matchOf, partsOf } from './match.ts'

const isRunning = (build: Build | undefined): boolean => build?.status === 'running'

const known = <T>(name: string, namespace: string, repo: string): T[] =>
  queryClient.getQueriesData<T>({ queryKey: [name, namespace, repo] }).flatMap(([, data]) => (data ? [data] : []))

/** "The running image while any known build of the viewed repository runs" (readings, "Getting in"). */
const anyRuns = (namespace: string, name: string): boolean =>
  known<Build>('getBuild', namespace, name).some(isRunning) ||
  known<{ pages: BuildsPage[] }>('listBuilds', namespace, name).some((data) =>
    flattenBuilds(data.pages).some(isRunning),
  ) ||
  (queryClient.getQueryData<Repo[]>(['listRepos']) ?? []).some(
    (repo) => isRunning(repo.build) && repo.namespace === namespace && repo.name === name,
  )

/** Keeps the page's icon, which lies outside of what React draws. */
export const watchFavicon = (): void => {
  let shown = false
  const look = (): void => {
    const { namespace, name } = matchOf(partsOf(address.entry().href).pathname)?.params ?? {}
    const runs = !!namespace && !!name && anyRuns(namespace, name)
    if (runs === shown) return
    shown = runs
    document.getElementById('favicon')?.setAttribute('href', runs ? '/favicon-running.svg' : '/favicon.svg')
  }
  address.subscribe(look)
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') look()
  })
}
