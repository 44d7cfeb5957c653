import { useState, type RefObject } from 'react'

import { useDelay } from '../../browser/use-delay.ts'
import { useListeners } from '../../browser/use-listeners.ts'

/** Rows are made whole in steps, so that scrolling does not draw the list for each of them. */
const step = 10
/** Milliseconds: the first frame is on the screen, a slow machine's too. */
const firstFrameMs = 300

/**
 * How many rows from the top a reader sees or soon will: at first those that the window has room for, a screen of them once it
 * is painted, then those of one and a half screens. Grows as they scroll, never shrinks. In pixels: the height of a row,
 * and how far below the page's top the list begins at least.
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
