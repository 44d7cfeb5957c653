import { useLayoutEffect } from 'react'

/** The product's name, at the end of every title (readings, "Getting in"). */
const suffix = 'Flightdeck'

/** The page's title: what it is about, then the product name. */
export const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    document.title = title ? `${title} · ${suffix}` : suffix
  }, [title])
}
