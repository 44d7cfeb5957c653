import { useEffect, useEffectEvent, type RefObject } from 'react'

/** A finger moves a little also where nothing is meant by it; in pixels. */
const slack = 4
const upwards = new Set(['ArrowUp', 'PageUp', 'Home'])

/** What the reader can mean by wheel, finger or key: to read further up, or to be at the end. */
export type ReaderIntents = Record<'onUp' | 'onEnd', () => void>

/**
 * Tells the reader's wish from the hand and not from the scroll bar alone: in a rush the bar is put to the end so often
 * that a move up is lost before it is an event, and the end is further down by the time a move to it is done.
 */
export const useReaderIntent = (scroller: RefObject<HTMLElement | null>, intents: ReaderIntents): void => {
  const onUp = useEffectEvent(intents.onUp)
  const onEnd = useEffectEvent(intents.onEnd)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const done = new AbortController()
    const options = { passive: true, signal: done.signal }
    let touchedAt = 0
    const up = () => element.scrollTop > 0 && onUp()
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (upwards.has(key)) up()
      else if (key === 'End') onEnd()
    }
    element.addEventListener('keydown', onKeyDown, options)
    element.addEventListener('wheel', (event) => event.deltaY < 0 && !event.ctrlKey && up(), options)
    element.addEventListener('touchstart', (event) => (touchedAt = event.touches[0]?.clientY ?? 0), options)
    const onTouchMove = (event: TouchEvent) => (event.touches[0]?.clientY ?? 0) > touchedAt + slack && up()
    element.addEventListener('touchmove', onTouchMove, options)
    return () => done.abort()
  }, [scroller])
}
