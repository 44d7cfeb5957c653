import { useState, type RefObject } from 'react'

import { useResize } from '../../../browser/use-resize.ts'

/** A console that is narrower than this shows only the most frequent tools, in pixels. */
const roomy = 680

/** Whether an element is narrow, by its own width: a console can be narrow in a wide window. */
export const useCompact = (ref: RefObject<HTMLElement | null>): boolean => {
  const [compact, setCompact] = useState(false)
  useResize(ref, (element) => setCompact(element.clientWidth < roomy))
  return compact
}
