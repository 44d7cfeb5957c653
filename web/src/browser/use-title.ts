import { useLayoutEffect } from 'react'

import { createStore } from './store.ts'

/** The product's name, at the end of every title (readings, "Getting in"). */
const suffix = 'Flightdeck'

/** Characters that would also change the direction of the suffix. */
const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g

/** Set by each page when it renders for the first time, and when its title changes. */
export const titleStore = createStore({ title: '' })

/** Sets the page's title: its subject, then the product's name. */
export const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    document.title = title ? `${title.replaceAll(directionOverrides, '\ufffd')} · ${suffix}` : suffix
    titleStore.set({ title })
  }, [title])
}
