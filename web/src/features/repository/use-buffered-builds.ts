import type { Build } from '@flightdeck/api'
import { useCallback, useRef, useState } from 'react'

/**
 * Whether an element has left the viewport upwards; below the viewport it counts as not reached
 * yet.
 */
export const isAbove = (
  entry: Pick<IntersectionObserverEntry, 'isIntersecting'> & { boundingClientRect: { top: number } },
): boolean => !entry.isIntersecting && entry.boundingClientRect.top < 0

/**
 * Builds that arrive while the user has scrolled away from the top of the list are held back
 * (design.md, rule 6). `top` is the ref of an element above the list.
 */
export const useBufferedBuilds = (builds: readonly Build[]) => {
  const newest = builds[0]?.number ?? 0
  const [seen, setSeen] = useState(newest)
  const [isScrolled, setAway] = useState(false)
  const heading = useRef<HTMLElement | null>(null)
  // Near the top, or before the first render, all builds are shown.
  if ((!isScrolled || seen === 0) && seen !== newest) setSeen(newest)

  const top = useCallback((element: HTMLElement | null) => {
    heading.current = element
    if (!element) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setAway(isAbove(entry))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const shown = isScrolled ? builds.filter((build) => build.number <= seen) : builds
  const show = () => {
    setSeen(newest)
    heading.current?.scrollIntoView({ block: 'start' })
  }
  return { shown, waiting: builds.length - shown.length, show, top }
}
