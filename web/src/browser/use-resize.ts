import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

export interface ResizeOptions {
  /** When this changes, the element is measured again. */
  layout?: string
  /**
   * Applies the new size in the same frame, so that the text is never shown at the old position.
   */
  sameFrame?: boolean
  /** The size is known before the first render: it is measured only after the first frame. */
  known?: boolean
}

/** Measures an element before it is first painted, and when its size or the fonts change. */
export const useResize = (
  ref: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement, layout: string) => void,
  { layout = '', sameFrame = false, known = false }: ResizeOptions = {},
): void => {
  // Ignores the size at the first render: reading it would force a layout.
  const [isKnown] = useState(known)
  const onResize = useEffectEvent(measure)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const again = () => onResize(element, layout)
    if (!isKnown) {
      again()
      void document.fonts.ready.then(again)
    }
    const observer = new ResizeObserver(() => (sameFrame ? flushSync(again) : again()))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, layout, sameFrame, isKnown])
}
