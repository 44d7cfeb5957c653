import { useState, type RefObject } from 'react'

import { useDelay } from '../../browser/use-delay.ts'
import { useListeners } from '../../browser/use-listeners.ts'

/** Rows are rendered in steps, so that scrolling does not render the list for each row. */
const step = 10
/** Milliseconds until the first frame is painted, even on a slow machine. */
const firstFrameMs = 300

/**
 * How many rows to render from the top: at first those that fit into the window, one screen once it
 * is painted, then one and a half screens. Grows while the user scrolls, never shrinks. In pixels:
 * the height of a row, and the minimum distance of the list from the page's top.
 */
export const useRenderedRows = (list: RefObject<HTMLElement | null>, rowHeight: number, above: number): number => {
  const [count, setCount] = useState(() => Math.ceil((innerHeight - above) / rowHeight))
  useDelay(true, firstFrameMs, () => {
    setCount((before) => Math.max(before, Math.ceil(innerHeight / rowHeight)))
  })
  const update = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const seen = Math.ceil((innerHeight * 1.5 - top) / rowHeight)
    setCount((before) => (seen > before ? seen + step : before))
  }
  useListeners('window', { scroll: update, resize: update }, { passive: true })
  return count
}
