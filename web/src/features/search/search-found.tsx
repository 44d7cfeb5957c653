import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, type RefObject } from 'react'

import { knownBuilds } from '../../api/known-builds.ts'
import { reposQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { sortRepos } from '../../lib/repo-list.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { searchLoaded, withFound } from './loaded.ts'
import { SearchResults, SearchSkeleton } from './search-results.tsx'
import { useServerSearch } from './use-server-search.ts'
import { searchRepos } from './search-repos.ts'

const resultKeys = /^(Enter|Arrow(Up|Down))$/

/**
 * Arrow keys move through the field and the results; Enter opens the focused result, or the first. Returns whether
 * there is one.
 */
const press = (key: string): boolean => {
  if (!resultKeys.test(key)) return false
  const drawer = document.activeElement?.closest('dialog')
  const stops = [...(drawer?.querySelectorAll<HTMLElement>('input, li a') ?? [])]
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
  ahead: RefObject<string[]>
}

/** The results. Keys that were pressed before they rendered are handled then. */
export function SearchFound({ typed, ahead }: SearchFoundProps) {
  const query = useDeferredValue(typed)
  const { data, error, refetch, isFetching } = useQuery(reposQuery())
  const sorted = useMemo(() => data && sortRepos(data), [data])
  const found = useMemo(() => sorted && searchRepos(sorted, query), [sorted, query])
  const loaded = useMemo(() => searchLoaded(knownBuilds(), query), [query])
  const { builds, isPending, note } = useServerSearch(query.trim())
  const all = { ...loaded, builds: withFound(loaded.builds, builds?.items ?? []) }
  const drawn = useRef<string>(undefined)
  const go = (event?: Event) => {
    if (drawn.current !== typed) return
    for (const key of ahead.current.splice(0)) if (press(key)) event?.preventDefault()
  }
  useListeners('window', {
    keydown: (event) => {
      if (event.target instanceof HTMLAnchorElement && event.key !== 'Enter') ahead.current.push(event.key)
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
        <SearchResults query={query.trim()} found={found} loaded={all} isPending={isPending} note={note} />
      </div>
    )
  if (!error) return <SearchSkeleton />
  return <ErrorState {...failedRead('The repositories', { error, isFetching, refetch })} />
}
