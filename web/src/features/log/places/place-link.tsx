import { createContext, use, type MouseEvent, type ReactNode } from 'react'

import type { FilePlace } from '../engine/places.ts'

/** Where a line of a file, as a log names it, can be seen. */
export interface PlaceLinks {
  hrefOf: (place: FilePlace) => string | undefined
  /** Opens the file on this page; undefined if it is on another site. */
  open?: ((place: FilePlace) => void) | undefined
}

/** Without a provider, file positions in logs are not links. */
export const PlaceLinksContext = createContext<PlaceLinks | undefined>(undefined)

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** A file position in a log, linked to that line. Whether the file exists is checked when it is opened. */
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
