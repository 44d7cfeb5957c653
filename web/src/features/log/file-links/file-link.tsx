import { createContext, use, type MouseEvent, type ReactNode } from 'react'

import type { FileLocation } from '../engine/file-locations.ts'

/** Where a file location in a log can be viewed. */
export interface FileLinks {
  hrefOf: (location: FileLocation) => string | undefined
  /** Opens the file on this page; undefined if it is on another site. */
  open?: ((location: FileLocation) => void) | undefined
}

/** Without a provider, file positions in logs are not links. */
export const FileLinksContext = createContext<FileLinks | undefined>(undefined)

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * A file position in a log, linked to that line. Whether the file exists is checked when it is
 * opened.
 */
export function FileLink({ location, children }: { location: FileLocation; children: ReactNode }) {
  const links = use(FileLinksContext)
  const href = links?.hrefOf(location)
  if (href === undefined) return children
  const open = links?.open
  return (
    <a
      href={href}
      data-file-location=""
      {...(!open && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
      onClick={(event) => {
        if (!open || !isPlain(event)) return
        event.preventDefault()
        open(location)
      }}
    >
      {children}
    </a>
  )
}
