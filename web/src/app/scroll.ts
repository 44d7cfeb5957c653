import { useLayoutEffect, useRef } from 'react'

import type { Entry } from './address.ts'

/**
 * How long to wait for a growing page to reach the scroll position; after that, the user scrolls.
 */
const timeoutMs = 1_000
const userInputEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Scrolls to `top` as soon as the page is high enough. Ends when it gets there, when the user
 * scrolls, or after a second.
 */
const scrollDownTo = (top: number): (() => void) => {
  const stop = (): void => {
    grown.disconnect()
    clearTimeout(timer)
    for (const type of userInputEvents) removeEventListener(type, stop)
  }
  const go = (): void => {
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) < 2) stop()
  }
  const grown = new ResizeObserver(go)
  const timer = setTimeout(stop, timeoutMs)
  for (const type of userInputEvents) addEventListener(type, stop, { passive: true })
  grown.observe(document.body)
  go()
  return stop
}

/** A new page starts at its top; Back, Forward and reload restore the scroll position. */
export const useScroll = (shown: Entry, pathname: string): void => {
  const before = useRef({ key: '', pathname })
  useLayoutEffect(() => {
    const { key, pathname: last } = before.current
    before.current = { key: shown.key, pathname }
    if (shown.key === key) return undefined
    // A document starts at its top: scrolling there would force a layout before the first paint,
    // and another one after it.
    if (key === '' && shown.top === 0) return undefined
    // A typed URL with an anchor has no scroll position yet: the browser scrolls to the anchor.
    if (shown.how === 'pop' && (shown.top > 0 || !shown.href.includes('#'))) return scrollDownTo(shown.top)
    if (shown.how === 'push' && pathname !== last) window.scrollTo(0, 0)
    return undefined
  }, [shown, pathname])
}
