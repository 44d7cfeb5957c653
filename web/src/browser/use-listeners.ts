import { useEffect, useEffectEvent, type RefObject } from 'react'

type Events = HTMLElementEventMap & WindowEventMap
export type Listeners = { [K in keyof Events]?: (event: Events[K]) => void }

export interface ListenOptions {
  /** False removes the listeners, so that scrolling does not wait for them. */
  on?: boolean
  /** The listener does not prevent defaults, so the browser does not wait for it. */
  passive?: boolean
}

const targetOf = (target: RefObject<HTMLElement | null> | 'window' | 'document') =>
  target === 'window' ? window : target === 'document' ? document : target.current

/**
 * Adds listeners to the window, the document or an element, for what React's own listeners can't
 * do: events outside the tree, events before its root's listeners, or `passive`. Always calls the
 * listeners of the last render.
 */
export const useListeners = (
  target: RefObject<HTMLElement | null> | 'window' | 'document',
  listeners: Listeners,
  { on = true, passive = false }: ListenOptions = {},
): void => {
  const onEvent = useEffectEvent((event: Event) => {
    const byType = listeners as Record<string, ((event: Event) => void) | undefined>
    byType[event.type]?.(event)
  })
  const types = Object.keys(listeners).join(' ')
  useEffect(() => {
    const place = targetOf(target)
    if (!place || !on) return undefined
    const done = new AbortController()
    for (const type of types.split(' '))
      place.addEventListener(type, (event) => onEvent(event), { passive, signal: done.signal })
    return () => done.abort()
  }, [target, types, on, passive])
}
