import { useState, type RefObject } from 'react'

import { useResize } from '../../../browser/use-resize.ts'

/** Below this many pixels a console keeps only the most needed tools in sight. */
const roomy = 680

/** Whether an element is narrow – by its own width, for a console may be narrow in a wide window. */
export const useCompact = (ref: RefObject<HTMLElement | null>): boolean => {
  const [compact, setCompact] = useState(false)
  useResize(ref, (element) => setCompact(element.clientWidth < roomy))
  return compact
}
