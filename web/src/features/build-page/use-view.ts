import { startTransition, useDeferredValue, useState } from 'react'

import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { usePreference } from '../../browser/preference.ts'
import { withParams } from '../../lib/search-params.ts'
import { searchOfView, viewIn, views, type View } from './view-address.ts'

/** A link to a line of the log opens the log. */
const namesLine = (hash: string): boolean => /^#L\d/.test(hash)

/**
 * The selected view: from the URL, else the view already open on this page, else the user's last
 * choice (specification §2). A view other than the default is written to the URL.
 */
export const useView = () => {
  const { pathname, shownPathname, search, hash, via } = useAddress()
  const { navigate } = useNavigation()
  const [storedView, keep] = usePreference('build.view', views)
  const viewInUrl = viewIn(search) ?? (namesLine(hash) ? 'log' : undefined)
  const [seen, setSeen] = useState(viewInUrl)
  const [requestedView, setWanted] = useState<View>(viewInUrl ?? storedView)
  if (viewInUrl !== seen) {
    setSeen(viewInUrl)
    if (viewInUrl) setWanted(viewInUrl)
  }
  // While its code loads the previous view stays, and hundreds of stages are rendered in slices.
  const view = useDeferredValue(requestedView)
  const hasView = viewInUrl !== undefined || requestedView === views[0]
  return {
    view,
    show: (next: View): void => {
      const href = `${pathname}${searchOfView(search, next)}${hash}`
      // Without a view in the URL the last choice applies. The redirect follows after the render,
      // so that the view appears sooner.
      if (viewInUrl || !hasView) navigate(href, { replace: true, keepOpen: true, via })
      startTransition(() => {
        keep(next)
        setWanted(next)
      })
    },
    /** The URL to redirect to; undefined while a different page loads. */
    redirect:
      hasView || pathname !== shownPathname
        ? undefined
        : { to: `${pathname}${withParams(search, { view: requestedView })}${hash}`, from: pathname, via, later: true },
  }
}
