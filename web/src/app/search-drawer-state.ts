import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'

import { address } from './address.ts'

/** Specification §9: "Drawer close animation 200 ms". */
const leaving = 200

/** The drawer is an entry of the history, so that the browser's Back closes it (readings, "Dashboard, search, account"). */
export const useSearchDrawer = () => {
  const open = useSyncExternalStore(address.subscribe, () => address.entry().search)
  const [shown, setShown] = useState(open)
  if (open && !shown) setShown(true)

  useEffect(() => {
    if (open) return undefined
    const timer = setTimeout(() => setShown(false), leaving)
    return () => clearTimeout(timer)
  }, [open])

  // Going back takes a while, and who presses Escape again meanwhile does not want to leave the page, too.
  const closing = useRef(false)
  useEffect(() => {
    closing.current = !open
  }, [open])
  const close = useCallback(() => {
    if (closing.current) return
    closing.current = true
    address.back()
  }, [])

  return { open, shown, close }
}

export const openSearch = (): void => {
  const { href, search } = address.entry()
  if (!search) address.push(href, { search: true })
}
