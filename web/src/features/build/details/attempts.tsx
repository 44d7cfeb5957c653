import type { Build } from '@flightdeck/api'

import { paths } from '../../../lib/paths.ts'
import { shownStatus } from '../../../lib/reason.ts'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { deedOf, eventDescription } from '../../events/index.ts'

/** The builds that are copies of one another: restarts, promotions and what they were made from. */
export function Attempts({
  attempts,
  namespace,
  name,
  number,
}: {
  attempts: readonly Build[]
  namespace: string
  name: string
  number: number
}) {
  return (
    <ul className="flex flex-col">
      {attempts.map((build) => (
        <li key={build.number}>
          <Link
            href={paths.build(namespace, name, build.number)}
            aria-current={build.number === number ? 'page' : undefined}
            className="flex min-h-9 items-center gap-2 rounded-md px-2 py-1 hover:bg-raised aria-[current=page]:bg-accent-soft touch:min-h-11"
          >
            <StatusIcon status={shownStatus(build)} />
            <span className="shrink-0 tabular-nums">#{build.number}</span>
            <bdi className="min-w-0 flex-1 truncate">{deedOf(build) ?? eventDescription(build)}</bdi>
            <RelativeTime seconds={build.created} className="shrink-0 text-sm text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
