import { useLayoutEffect } from 'react'

const users = new Map<string, number>()

/**
 * Marks the page's root with an attribute for as long as somebody wants it. The style sheet alone could say this with
 * `html:has(…)`, but the browser would look into the document again at each change of it, which a live page has many of.
 */
export const useRootAttribute = (name: 'data-under-overlay' | 'data-fills-window', wanted = true): void => {
  useLayoutEffect(() => {
    if (!wanted) return undefined
    const root = document.documentElement
    users.set(name, (users.get(name) ?? 0) + 1)
    root.setAttribute(name, '')
    return () => {
      const left = (users.get(name) ?? 1) - 1
      users.set(name, left)
      if (left === 0) root.removeAttribute(name)
    }
  }, [name, wanted])
}
