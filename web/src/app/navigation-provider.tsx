import { withoutEnd } from '@flightdeck/api'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'

import { AddressContext, NavigationContext, type Address, type Navigation } from '../ui/navigation.tsx'
import { preloadPage } from './preload.ts'

/** `/a?b#c` → its parts, exactly as they stand: the router's own are decoded in places. */
const partsOf = (href: string): Omit<Address, 'settled'> => {
  const hashAt = href.indexOf('#')
  const hash = hashAt < 0 ? '' : href.slice(hashAt)
  const rest = hashAt < 0 ? href : href.slice(0, hashAt)
  const searchAt = rest.indexOf('?')
  const pathname = searchAt < 0 ? rest : rest.slice(0, searchAt)
  return {
    // A slash at the end is tolerated and means nothing.
    pathname: withoutEnd(pathname, '/') || pathname.slice(0, 1),
    search: searchAt < 0 ? '' : rest.slice(searchAt),
    hash,
  }
}

/** Gives the design system the router's ways (ui/navigation.tsx). */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const href = useRouterState({ select: (state) => state.location.publicHref })
  const settled = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? '' })
  const address = useMemo(() => ({ ...partsOf(href), settled }), [href, settled])
  const navigation = useMemo<Navigation>(
    () => ({
      // Through the history, not the router's address builder: what is escaped stays escaped as it is (`%2F`).
      navigate: (to, options) => {
        if (options?.replace)
          router.history.replace(to, options.keepOpen ? { search: router.state.location.state.search } : {})
        else router.history.push(to)
      },
      preload: (to) => preloadPage(to),
    }),
    [router],
  )
  return (
    <NavigationContext value={navigation}>
      <AddressContext value={address}>{children}</AddressContext>
    </NavigationContext>
  )
}
