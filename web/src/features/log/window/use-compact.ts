import { useLayoutEffect, useState, type RefObject } from 'react'

/** Below this many pixels a console keeps only the most needed tools in sight. */
const roomy = 680

/** Whether an element is narrow – by its own width, for a console may be narrow in a wide window. */
export const useCompact = (ref: RefObject<HTMLElement | null>): boolean => {
  const [compact, setCompact] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => setCompact(element.clientWidth < roomy)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return compact
}
