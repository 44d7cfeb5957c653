/**
 * Long lists keep every row in the document, so that the browser's own search, the keyboard and a screen reader find it,
 * but only rows near the screen are whole; the others are their words.
 */
import { useCallback, useState, type CSSProperties } from 'react'

/** Up to so many rows all are whole. */
const maxEagerRows = 60
/** These are on the first screen. */
const firstScreenRows = 30

const listeners = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>()
let shared: IntersectionObserver | undefined
/** One for all rows; about a screen ahead. */
const observer = (): IntersectionObserver => {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry)
    },
    { rootMargin: '800px 0px' },
  )
  return shared
}

/** What a list of `count` rows says of the row at `index`. As little as can be, for rows are drawn again when it changes. */
export const renderModeOf = (index: number, count: number): RenderMode =>
  count <= maxEagerRows ? 'always' : index < firstScreenRows ? 'first' : 'later'
export type RenderMode = 'always' | 'first' | 'later'

interface LazyRow {
  ref: (row: HTMLElement | null) => (() => void) | undefined
  near: boolean
  /** For the row: it has the same height with and without its content. */
  style: CSSProperties | undefined
}

export const useLazyRow = (mode: RenderMode): LazyRow => {
  const [state, setState] = useState<{ near: boolean; height?: number }>({ near: mode !== 'later' })
  const watched = mode !== 'always'
  const ref = useCallback(
    (row: HTMLElement | null) => {
      if (!row || !watched) return undefined
      listeners.set(row, ({ isIntersecting, boundingClientRect }) => {
        // A reader in the row by keyboard would lose the focus.
        if (!isIntersecting && row.contains(document.activeElement)) return
        setState((known) =>
          known.near === isIntersecting
            ? known
            : isIntersecting
              ? { near: true }
              : { near: false, height: boundingClientRect.height },
        )
      })
      observer().observe(row)
      return () => {
        observer().unobserve(row)
        listeners.delete(row)
      }
    },
    [watched],
  )
  const near = !watched || state.near
  return { ref, near, style: near || !state.height ? undefined : { minHeight: state.height } }
}
