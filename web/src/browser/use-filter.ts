import { useState } from 'react'

import { useAddress, useNavigation, useSearchParams } from './navigation.tsx'
import { useDelay } from './use-delay.ts'

/** Long enough to type a word: browsers refuse more than some hundred changes of the address in half a minute. */
const pause = 300

/** The filter's text: at once for the list, a moment later in the address, where reload and Back find it. */
export const useFilter = (): [string, (next: string) => void] => {
  const { pathname } = useAddress()
  const { navigate } = useNavigation()
  const inAddress = useSearchParams().get('filter') ?? ''
  const [filter, setFilter] = useState(inAddress)
  const [written, setWritten] = useState(inAddress)
  const [seen, setSeen] = useState(inAddress)
  // Somebody else changed the address, such as the logo's link: that is the filter now.
  if (inAddress !== seen) {
    setSeen(inAddress)
    if (inAddress !== written) setFilter(inAddress)
  }
  useDelay(filter === inAddress ? undefined : filter, pause, () => {
    setWritten(filter)
    const href = filter === '' ? pathname : `${pathname}?${new URLSearchParams({ filter }).toString()}`
    navigate(href, { replace: true, keepOpen: true })
  })
  return [filter, setFilter]
}
