import { useLayoutEffect } from 'react'

import { createStore } from './store.ts'

/** The product's name, at the end of every title (readings, "Getting in"). */
const suffix = 'Flightdeck'

/** Characters that would change the direction of the suffix, too. */
const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g

/** Set by each page when it renders for the first time, and when its title changes. */
export const titleStore = createStore({ title: '' })

/** The page's title: what it is about, then the product name. */
export const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    document.title = title ? `${title.replaceAll(directionOverrides, '\ufffd')} · ${suffix}` : suffix
    titleStore.set({ title })
  }, [title])
}
