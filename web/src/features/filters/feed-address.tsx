import { useId, useState } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { serverOrigin } from '../../api/client.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListName } from './filter.ts'
import { feedQuery } from './feed-params.ts'
import { useListFilter } from './use-list-filter.ts'

export interface FeedOf {
  /** The path of the feed on the server. */
  path: string
  show?: string | undefined
}

/** The Atom feed of the list as it is filtered now, which feed readers request. */
export function FeedAddress({ list, path, show }: FeedOf & { list: ListName }) {
  const [open, setOpen] = useState(false)
  const hasFeeds = useCapability('feeds')
  const { filter, conditions } = useListFilter(list)
  const id = useId()
  if (!hasFeeds) return null
  const address = `${serverOrigin()}${path}${feedQuery(filter, conditions, show)}`
  return (
    <>
      <Button size="sm" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        Atom feed
      </Button>
      {open && (
        <section aria-label="Atom feed" className="flex basis-full flex-col gap-2 rounded-lg border border-line p-3">
          <div className="flex items-start gap-3">
            <code id={id} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">
              {address}
            </code>
            <CopyButton text={address} textId={id} label="Copy address of the feed" copiedLabel="Copied" />
          </div>
          <p className="text-sm text-muted">
            In your feed reader, sign in with your username and a{' '}
            <Link href={paths.account} className="underline">
              named token
            </Link>{' '}
            as the password. Builds of public repositories need neither.
          </p>
        </section>
      )}
    </>
  )
}
