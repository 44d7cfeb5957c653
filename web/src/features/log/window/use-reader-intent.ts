import { useRef, type RefObject } from 'react'

import { useListeners } from '../../../browser/use-listeners.ts'
import { rowHeight } from '../reading/viewport.ts'

/** A finger moves slightly even without intent; in pixels. */
const slack = 4
const upwards = new Set(['ArrowUp', 'PageUp', 'Home'])

/** The distance in pixels that a key scrolls, as in browsers; undefined for other keys. */
const keyStep = ({ key, shiftKey }: KeyboardEvent, height: number): number | undefined => {
  const page = Math.max(height * 0.875, height - 2 * rowHeight)
  if (key === 'ArrowDown') return 2 * rowHeight
  if (key === 'ArrowUp') return -2 * rowHeight
  if (key === 'PageDown' || (key === ' ' && !shiftKey)) return page
  if (key === 'PageUp' || key === ' ') return -page
  // The browser's own scroll takes many frames, in which further keys would be lost.
  if (key === 'Home' && !shiftKey) return -Infinity
  if (key === 'End' && !shiftKey) return Infinity
  return undefined
}

/** The intents of wheel, finger and keys: scroll up, go to the end, move by a number of pixels. */
export interface ReaderIntents {
  onUp: () => void
  onEnd: () => void
  onMove: (pixels: number) => void
}

/**
 * Detects the user's intent from input events, not only from the scroll bar. During a burst, the
 * bar is set to the end so often that a scroll up is lost before its event fires, and a scroll to
 * the end arrives when the end is already further down.
 *
 * In addition, when the scroll range is scaled, a wheel tick or Page Down would skip lines, and
 * small movements would be lost between two pixels of the bar: there the text is moved directly,
 * and the bar is updated afterwards.
 */
export const useReaderIntent = (
  scroller: RefObject<HTMLElement | null>,
  scaled: boolean,
  { onUp, onEnd, onMove }: ReaderIntents,
): void => {
  const touchedAt = useRef(0)
  const up = () => {
    if ((scroller.current?.scrollTop ?? 0) > 0) onUp()
  }
  const wishes = {
    keydown: ({ key }: KeyboardEvent) => {
      if (upwards.has(key)) up()
      else if (key === 'End') onEnd()
    },
    wheel: (event: WheelEvent) => {
      if (event.deltaY < 0 && !event.ctrlKey) up()
    },
    touchstart: (event: TouchEvent) => {
      touchedAt.current = event.touches[0]?.clientY ?? 0
    },
    touchmove: (event: TouchEvent) => {
      if ((event.touches[0]?.clientY ?? 0) > touchedAt.current + slack) up()
    },
  }
  useListeners(scroller, wishes, { passive: true })
  const onWheel = (event: WheelEvent, element: HTMLElement) => {
    if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return
    event.preventDefault()
    const unit = [1, rowHeight, element.clientHeight][event.deltaMode] ?? 1
    if (event.deltaX !== 0) element.scrollBy(event.deltaX * unit, 0)
    onMove(event.deltaY * unit)
  }
  const onKeyDown = (event: KeyboardEvent, element: HTMLElement) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    // On a focused control, the space key presses it.
    if (event.key === ' ' && event.target !== element) return
    const step = keyStep(event, element.clientHeight)
    if (step === undefined) return
    event.preventDefault()
    onMove(step)
  }
  const moves = {
    wheel: (event: WheelEvent) => scroller.current && onWheel(event, scroller.current),
    keydown: (event: KeyboardEvent) => scroller.current && onKeyDown(event, scroller.current),
  }
  useListeners(scroller, moves, { on: scaled })
}
