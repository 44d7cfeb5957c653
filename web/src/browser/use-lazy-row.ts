/**
 * Long lists keep every row in the document, so that the browser's own search, the keyboard and
 * screen readers find it, but only rows near the viewport are rendered completely; the others are
 * only text.
 */
import { useCallback, useState, type CSSProperties } from 'react'

/** Lists with up to this many rows are rendered completely. */
const maxEagerRows = 60
/** The number of rows on the first screen. */
const firstScreenRows = 30

const listeners = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>()
let shared: IntersectionObserver | undefined
/** One observer for all rows; its margin is about a screen. */
const observer = (): IntersectionObserver => {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry)
    },
    { rootMargin: '800px 0px' },
  )
  return shared
}

/**
 * How the list renders the row at `index`. Returns as few different values as possible, because
 * rows rerender when it changes.
 */
export const renderModeOf = (index: number, count: number): RenderMode =>
  count <= maxEagerRows ? 'always' : index < firstScreenRows ? 'first' : 'later'
export type RenderMode = 'always' | 'first' | 'later'

interface LazyRow {
  ref: (row: HTMLElement | null) => (() => void) | undefined
  isNear: boolean
  /** For the row: it has the same height with and without its content. */
  style: CSSProperties | undefined
}

export const useLazyRow = (mode: RenderMode): LazyRow => {
  const [state, setState] = useState<{ isNear: boolean; height?: number }>({ isNear: mode !== 'later' })
  const watched = mode !== 'always'
  const ref = useCallback(
    (row: HTMLElement | null) => {
      if (!row || !watched) return undefined
      listeners.set(row, ({ isIntersecting, boundingClientRect }) => {
        // A row with the focus must stay, or keyboard users would lose it.
        if (!isIntersecting && row.contains(document.activeElement)) return
        setState((known) =>
          known.isNear === isIntersecting
            ? known
            : isIntersecting
              ? { isNear: true }
              : { isNear: false, height: boundingClientRect.height },
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
  const isNear = !watched || state.isNear
  return { ref, isNear, style: isNear || !state.height ? undefined : { minHeight: state.height } }
}
