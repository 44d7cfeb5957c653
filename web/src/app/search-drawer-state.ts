import { useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** This entry of the history was made by opening the search drawer. */
    search?: boolean
  }
}

/** Specification §9: "Drawer close animation 200 ms". */
const leaving = 200

/** The drawer is an entry of the history, so that the browser's Back closes it (readings, "Dashboard, search, account"). */
export const useSearchDrawer = () => {
  const router = useRouter()
  const open = useRouterState({ select: (state) => state.location.state.search === true })
  const [shown, setShown] = useState(open)
  if (open && !shown) setShown(true)

  useEffect(() => {
    if (open) return undefined
    const timer = setTimeout(() => setShown(false), leaving)
    return () => clearTimeout(timer)
  }, [open])

  return { open, shown, close: useCallback(() => router.history.back(), [router]) }
}

export const useOpenSearch = () => {
  const router = useRouter()
  return useCallback(() => {
    if (router.state.location.state.search) return
    router.history.push(router.state.location.publicHref, { search: true })
  }, [router])
}
