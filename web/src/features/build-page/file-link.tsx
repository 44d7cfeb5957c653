import type { Build, Repo } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { useAddress } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { Link } from '../../ui/link.tsx'
import { fileLink } from '../events/index.ts'

const look = 'rounded-sm text-accent hover:underline'

interface FileLinkProps {
  build: Build
  repo: Repo
  /** The line of the file; only Flightdeck shows it. */
  line?: number | undefined
  children: ReactNode
}

/**
 * A link to the build's pipeline file: in its details, or at the forge. Plain text if there is
 * neither.
 */
export function FileLink({ build, repo, line, children }: FileLinkProps) {
  const { pathname, search, via } = useAddress()
  const own = useCapability('build_details')
  const elsewhere = fileLink(repo, build)
  if (own)
    return (
      <Link
        href={`${pathname}${withParams(search, { details: line === undefined ? '' : `${line}` })}`}
        // Opening an overlay does not move the page.
        via={via ?? null}
        className={look}
      >
        {children}
      </Link>
    )
  if (!elsewhere) return children
  return (
    <a href={elsewhere} target="_blank" rel="noreferrer" className={look}>
      {children}
    </a>
  )
}
