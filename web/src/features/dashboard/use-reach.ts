import { useState, type RefObject } from 'react'

import { useListeners } from '../../browser/use-listeners.ts'

/** Rows are made whole in steps, so that scrolling does not draw the list for each of them. */
const step = 10

/**
 * How many rows from the top a reader sees or soon will: those of one and a half screens. Grows as they scroll, never
 * shrinks. `rowHeight` in pixels.
 */
export const useReach = (list: RefObject<HTMLElement | null>, rowHeight: number): number => {
  // The list begins below the page's head, so one screen of rows is more than fits.
  const [reach, setReach] = useState(() => Math.ceil(innerHeight / rowHeight))
  const look = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const seen = Math.ceil((innerHeight * 1.5 - top) / rowHeight)
    setReach((before) => (seen > before ? seen + step : before))
  }
  useListeners('window', { scroll: look, resize: look }, { passive: true })
  return reach
}
