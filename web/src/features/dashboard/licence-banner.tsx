import { TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'

import { writeStored, readStored } from '../../browser/storage.ts'
import { IconButton } from '../../ui/icon-button.tsx'

const learnMore = 'https://docs.drone.io/enterprise/'
const key = (text: string): string => `closed ${text}`

/** Closing it hides it until the tab is closed: its text is the same on every visit. */
export function LicenceBanner({ text }: { text: string }) {
  const [closed, setClosed] = useState(() => readStored('session', key(text)) !== undefined)
  if (closed) return null
  return (
    <div role="alert" className="flex items-center gap-x-3 bg-danger py-1 pr-2 pl-4 text-on-danger md:pl-6">
      <TriangleAlert className="size-4 shrink-0" aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{text}</span>
        <a
          href={learnMore}
          target="_blank"
          rel="noreferrer"
          className="underline underline-offset-2 outline-current touch:py-3"
        >
          Learn more
        </a>
      </span>
      <IconButton
        label="Close"
        side="left"
        className="text-on-danger outline-current hover:bg-transparent hover:text-on-danger"
        onClick={() => {
          writeStored('session', key(text), '')
          setClosed(true)
        }}
      >
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  )
}
