import { useState } from 'react'

import { withParams } from '../lib/search-params.ts'
import { useAddress, useNavigation, useSearchParams } from './navigation.tsx'
import { useDelay } from './use-delay.ts'

/** Browsers limit how often a page can change its URL: about a hundred times in 30 seconds. */
const pause = 300

/**
 * The filter's text: applied to the list immediately, and written to the URL after a debounce, for
 * reload and Back.
 */
export const useFilter = (): [string, (next: string) => void] => {
  const { pathname, search, shownPathname } = useAddress()
  const { navigate } = useNavigation()
  const filterInUrl = useSearchParams().get('filter') ?? ''
  const [seen, setSeen] = useState(filterInUrl)
  // While the next page loads, the URL is already that page's, so it says nothing about this one.
  const isOwn = pathname === shownPathname
  const inAddress = isOwn ? filterInUrl : seen
  const [filter, setFilter] = useState(inAddress)
  const [written, setWritten] = useState(inAddress)
  // The URL changed from outside, for example by the logo's link: it is the new filter.
  if (inAddress !== seen) {
    setSeen(inAddress)
    if (inAddress !== written) setFilter(inAddress)
  }
  useDelay(!isOwn || filter === inAddress ? undefined : filter, pause, () => {
    setWritten(filter)
    const href = `${pathname}${withParams(search, { filter: filter || undefined })}`
    navigate(href, { replace: true, keepOpen: true })
  })
  return [filter, setFilter]
}
