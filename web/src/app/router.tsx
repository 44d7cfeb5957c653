import { dropEarly } from '../api/client.ts'
import { resetFailedQueries } from '../api/query-client.ts'
import { NotFound } from './not-found.ts'
import { AddressContext, NavigationContext, type Navigation } from '../browser/navigation.tsx'
import { useDeferredValue, useMemo, useSyncExternalStore, type ReactNode } from 'react'

import { address } from './address.ts'
import { AdminsOnly, SignedIn } from './guards.tsx'
import { loadPage, matchOf, partsOf, startReads } from './match.ts'
import type { Match, Visit } from './route.tsx'
import { useScroll } from './scroll.ts'
import { Shell } from './shell.tsx'

const navigation: Navigation = {
  navigate: (href, { replace = false, keepOpen = false, via, from } = {}) => {
    if (from !== undefined && partsOf(address.entry().href).pathname !== from) return
    if (replace) address.replace(href, { search: keepOpen && address.entry().search, via })
    else address.push(href, { via })
  },
  preload: (href) => void loadPage(href),
}

const visit = (): Visit => {
  const { href, via } = address.entry()
  return { via, isOver: () => address.entry().href !== href }
}

/** Starts the queries of the first page, and of each next page before it is rendered. */
export const watchPages = (): void => {
  let pathname = partsOf(address.entry().href).pathname
  startReads(matchOf(pathname), visit())
  address.subscribe(({ href }) => {
    const next = partsOf(href).pathname
    if (next === pathname) return
    pathname = next
    dropEarly()
    // A page that redirects on its first render hasn't subscribed to its queries yet: it would
    // refetch failed ones.
    queueMicrotask(resetFailedQueries)
    startReads(matchOf(next), visit())
  })
}

const guarded = (match: Match | undefined): ReactNode => {
  if (!match) return <SignedIn>{<NotFound />}</SignedIn>
  if (match.audience === 'everybody') return match.draw()
  if (match.audience === 'visitors') return <SignedIn visited={match.params}>{match.draw()}</SignedIn>
  return (
    <SignedIn>{match.audience === 'administrators' ? <AdminsOnly>{match.draw()}</AdminsOnly> : match.draw()}</SignedIn>
  )
}

/** Renders the page of the URL. While the code of the next page loads, the previous one stays. */
export function Router() {
  const entry = useSyncExternalStore(address.subscribe, address.entry)
  const shown = useDeferredValue(entry)
  const shownPathname = partsOf(shown.href).pathname
  const { via } = shown
  const { href, key } = entry
  const place = useMemo(() => ({ ...partsOf(href), shownPathname, via, entry: key }), [href, shownPathname, via, key])
  const page = useMemo(() => guarded(matchOf(shownPathname)), [shownPathname])
  useScroll(shown, shownPathname)
  return (
    <NavigationContext value={navigation}>
      <AddressContext value={place}>
        <Shell>{page}</Shell>
      </AddressContext>
    </NavigationContext>
  )
}
