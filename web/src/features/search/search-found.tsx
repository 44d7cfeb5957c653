import { isDone, type Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState, type RefObject } from 'react'

import { knownBuilds } from '../../api/known-builds.ts'
import { reposQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { canWrite, useMe } from '../../api/session.ts'
import { useAddress } from '../../browser/navigation.tsx'
import { readVisits } from '../../browser/page-visits.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { sortRepos } from '../../lib/repo-list.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { actionsInView, matchesLabel, pagesOf, type FoundAction } from './actions-in-view.ts'
import { indexLoaded, searchLoaded, splitPulls, withFound } from './loaded.ts'
import { SearchResults, SearchSkeleton } from './search-results.tsx'
import { Suggestions } from './suggestions.tsx'
import { useServerSearch } from './use-server-search.ts'
import { openedFirst, searchRepos, searchReposFuzzily } from './search-repos.ts'

const resultKeys = /^(Enter|Arrow(Up|Down))$/

/**
 * Arrow keys move through the field and the results; Enter opens the focused result, or the first.
 * Returns whether there is one.
 */
const press = (key: string): boolean => {
  if (!resultKeys.test(key)) return false
  const drawer = document.activeElement?.closest('dialog')
  const stops = [...(drawer?.querySelectorAll<HTMLElement>('input, li :is(a, button)') ?? [])]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  const next = stops[key === 'Enter' ? Math.max(at, 1) : at + (key === 'ArrowDown' ? 1 : -1)]
  if (!next) return false
  if (key === 'Enter') next.click()
  else next.focus()
  return true
}

export interface SearchFoundProps {
  /** The input's value. */
  typed: string
  /** Keys pressed in the input since its last character that are not handled yet. */
  bufferedKeys: RefObject<string[]>
}

const none: readonly Repo[] = []

/** On what is in view; once something is typed those that match, of all pages. */
const useActions = (query: string, repos: readonly Repo[] = none): FoundAction[] => {
  const { pathname } = useAddress()
  const me = useMe()
  const isAdmin = me?.admin === true
  const currentActions = actionsInView({
    pathname,
    repos,
    canWrite: (repo) => canWrite(me, repo),
    isAdmin,
    isFinished: (repo, number) =>
      knownBuilds(repo).some(({ build }) => build.number === number && isDone(build.status)),
  })
  if (query.trim() === '') return currentActions
  return [...currentActions, ...pagesOf({ isAdmin })].filter(({ label }) => matchesLabel(label, query))
}

/** The results. Keys that were pressed before they rendered are handled then. */
export function SearchFound({ typed, bufferedKeys }: SearchFoundProps) {
  const query = useDeferredValue(typed)
  const { data, error, refetch, isFetching } = useQuery(reposQuery())
  const sorted = useMemo(() => data && sortRepos(data), [data])
  const [opened] = useState(readVisits)
  const found = useMemo(() => {
    if (!sorted) return undefined
    const exact = searchRepos(sorted, query)
    const slugs = opened.map(({ namespace, name }) => `${namespace}/${name}`)
    return exact.length > 0 ? openedFirst(exact, slugs) : searchReposFuzzily(sorted, query)
  }, [sorted, query, opened])
  const actions = useActions(query, sorted)
  const { pathname } = useAddress()
  // Each event that changes a loaded build also changes the list of repositories.
  const index = useMemo(() => (data ? indexLoaded(knownBuilds()) : []), [data])
  const loaded = useMemo(() => searchLoaded(index, query), [index, query])
  const { builds, isPending, note } = useServerSearch(query.trim())
  const all = { branches: loaded.branches, ...splitPulls(withFound(loaded.builds, builds?.items ?? [])) }
  const drawn = useRef<string>(undefined)
  const go = (event?: Event) => {
    if (drawn.current !== typed) return
    for (const key of bufferedKeys.current.splice(0)) if (press(key)) event?.preventDefault()
  }
  useListeners('window', {
    keydown: (event) => {
      if (event.target instanceof Element && event.target.closest('li') && event.key !== 'Enter')
        bufferedKeys.current.push(event.key)
      go(event)
    },
  })
  const onDrawn = () => {
    drawn.current = query
    go()
  }
  if (found)
    return (
      <div ref={(place) => void (place && onDrawn())}>
        {query.trim() === '' ? (
          <Suggestions pathname={pathname} actions={actions} visits={opened} repos={sorted ?? none} />
        ) : (
          <SearchResults
            query={query.trim()}
            found={found}
            actions={actions}
            loaded={all}
            isPending={isPending}
            note={note}
          />
        )}
      </div>
    )
  if (!error) return <SearchSkeleton />
  return <ErrorState {...failedRead('The repositories', { error, isFetching, refetch })} />
}
