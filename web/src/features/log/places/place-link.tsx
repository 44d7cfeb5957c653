import { createContext, use, type MouseEvent, type ReactNode } from 'react'

import type { FilePlace } from '../engine/places.ts'

/** Where a line of a file, as a log names it, can be seen. */
export interface PlaceLinks {
  hrefOf: (place: FilePlace) => string | undefined
  /** Shows it on this page; missing where that is a page of somebody else's. */
  open?: ((place: FilePlace) => void) | undefined
}

/** Without one nothing in a log leads to a file. */
export const PlaceLinksContext = createContext<PlaceLinks | undefined>(undefined)

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** A path with a line in a log leads to that line. Whether there is such a file is seen there. */
export function PlaceLink({ place, children }: { place: FilePlace; children: ReactNode }) {
  const links = use(PlaceLinksContext)
  const href = links?.hrefOf(place)
  if (href === undefined) return children
  const open = links?.open
  return (
    <a
      href={href}
      data-place=""
      {...(!open && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
      onClick={(event) => {
        if (!open || !isPlain(event)) return
        event.preventDefault()
        open(place)
      }}
    >
      {children}
    </a>
  )
}
