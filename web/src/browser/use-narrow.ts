import { useSyncExternalStore } from 'react'

/** "Narrower than 768 px means up to 767" (readings, "Console"). */
const query = '(max-width: 767.98px)'

let known: MediaQueryList | undefined
const list = (): MediaQueryList => (known ??= matchMedia(query))

const subscribe = (listener: () => void): (() => void) => {
  const media = list()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const isNarrow = (): boolean => list().matches

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
