import { useSyncExternalStore } from 'react'

/** "Narrower than 768 px means up to 767" (readings, "Console"). */
const query = '(max-width: 767.98px)'

const subscribe = (listener: () => void): (() => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
