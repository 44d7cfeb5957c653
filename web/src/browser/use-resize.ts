import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/** Measures an element before it is first painted, when its size or the fonts change, and when `layout` does. */
export const useResize = (
  ref: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement, layout: string) => void,
  layout = '',
): void => {
  const onResize = useEffectEvent(measure)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const again = () => onResize(element, layout)
    again()
    void document.fonts.ready.then(again)
    const observer = new ResizeObserver(again)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, layout])
}
