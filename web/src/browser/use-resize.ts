import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { flushSync } from 'react-dom'

/** Measures an element before it is first painted, when its size or the fonts change, and when `layout` does. */
export const useResize = (
  ref: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement, layout: string) => void,
  layout = '',
  /** What follows from a new size is in the same frame: for who would else see the text elsewhere for one. */
  sameFrame = false,
): void => {
  const onResize = useEffectEvent(measure)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const again = () => onResize(element, layout)
    again()
    void document.fonts.ready.then(again)
    const observer = new ResizeObserver(() => (sameFrame ? flushSync(again) : again()))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, layout, sameFrame])
}
