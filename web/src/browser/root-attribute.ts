import { useLayoutEffect } from 'react'

const users = new Map<string, number>()

/**
 * Sets an attribute on the root element while mounted. CSS could do this with `html:has(…)`, but
 * the browser would re- evaluate it at each DOM change, and a live page has many.
 */
export const useRootAttribute = (name: 'data-under-overlay' | 'data-fills-window', isSet = true): void => {
  useLayoutEffect(() => {
    if (!isSet) return undefined
    const root = document.documentElement
    users.set(name, (users.get(name) ?? 0) + 1)
    root.setAttribute(name, '')
    return () => {
      const left = (users.get(name) ?? 1) - 1
      users.set(name, left)
      if (left === 0) root.removeAttribute(name)
    }
  }, [name, isSet])
}
