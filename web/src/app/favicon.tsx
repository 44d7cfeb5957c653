import { useEffect, useSyncExternalStore } from 'react'

import type { Build, Repo } from '@flightdeck/api'
import { flattenBuilds, type BuildsPage } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { useAddress } from '../browser/navigation.tsx'
import { matchOf } from './match.ts'

const isRunning = (build: Build | undefined): boolean => build?.status === 'running'

const known = <T,>(name: string, namespace: string, repo: string): T[] =>
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

const subscribe = (listener: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') listener()
  })

export function Favicon() {
  const { pathname } = useAddress()
  const { namespace, name } = matchOf(pathname)?.params ?? {}
  const runs = useSyncExternalStore(subscribe, () => !!namespace && !!name && anyRuns(namespace, name))
  useEffect(() => {
    document.getElementById('favicon')?.setAttribute('href', runs ? '/favicon-running.svg' : '/favicon.svg')
  }, [runs])
  return null
}
