import { useEffect, useEffectEvent, type RefObject } from 'react'

import { rowHeight } from './viewport.ts'

/** Pixels that a key moves the text, as browsers do it; undefined for keys that do not. */
const keyStep = ({ key, shiftKey }: KeyboardEvent, height: number): number | undefined => {
  const page = Math.max(height * 0.875, height - 2 * rowHeight)
  if (key === 'ArrowDown') return 2 * rowHeight
  if (key === 'ArrowUp') return -2 * rowHeight
  if (key === 'PageDown' || (key === ' ' && !shiftKey)) return page
  if (key === 'PageUp' || key === ' ') return -page
  // The browser's own way there takes many frames, and a key pressed meanwhile would be lost in them.
  if (key === 'Home' && !shiftKey) return -Infinity
  if (key === 'End' && !shiftKey) return Infinity
  return undefined
}

/**
 * Where the scroll range is scaled, a turn of the wheel or a page by key would skip lines, and the smallest moves would
 * be lost between two pixels of the bar: there the text is moved by itself, and the bar goes after it.
 */
export const useOwnScroll = (
  scroller: RefObject<HTMLElement | null>,
  scaled: boolean,
  moveBy: (pixels: number) => void,
): void => {
  const onMove = useEffectEvent(moveBy)
  useEffect(() => {
    const element = scroller.current
    if (!element || !scaled) return undefined
    const done = new AbortController()
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return
      event.preventDefault()
      const unit = [1, rowHeight, element.clientHeight][event.deltaMode] ?? 1
      if (event.deltaX !== 0) element.scrollBy(event.deltaX * unit, 0)
      onMove(event.deltaY * unit)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      // On what can be pressed, the space presses it.
      if (event.key === ' ' && event.target !== element) return
      const step = keyStep(event, element.clientHeight)
      if (step === undefined) return
      event.preventDefault()
      onMove(step)
    }
    element.addEventListener('wheel', onWheel, { passive: false, signal: done.signal })
    element.addEventListener('keydown', onKeyDown, { signal: done.signal })
    return () => done.abort()
  }, [scroller, scaled])
}
