import type { Attempt } from '@flightdeck/api'

import { paths } from '../../../lib/paths.ts'
import { shownStatus } from '../../../lib/reason.ts'
import { Duration } from '../../../ui/duration.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Scroller } from '../../../ui/scroller.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { userActionOf, eventDescription } from '../../events/index.ts'

const cell = 'py-1 pr-3 align-top last:pr-2'
/** On phones an attempt takes three lines: the build, its author, and what ran. */
const line = 'min-w-32 max-sm:col-span-3 max-sm:pl-8 max-sm:text-muted'

/** The stages that ran, and the reused ones. */
const ranIn = ({ again, taken_over: taken = [] }: Attempt): string => {
  if (!again) return 'All stages'
  const part = 'stage' in again ? `Only ${again.stage}` : 'Failed stages'
  return taken.length === 0 ? part : `${part}; reused ${taken.join(', ')}`
}

/**
 * The attempts of a build: its restarts and promotions, and the builds they were made from; newest
 * first.
 */
export function Attempts({
  attempts,
  namespace,
  name,
  number,
}: {
  attempts: readonly Attempt[]
  namespace: string
  name: string
  number: number
}) {
  return (
    <Scroller role="region" aria-label="Table of attempts" className="relative flex-none">
      <table className="w-full text-sm max-sm:block">
        <thead className="text-left text-muted max-sm:sr-only">
          <tr>
            {['Build', 'Duration', 'Started by', 'Stages run', 'Created'].map((title) => (
              <th key={title} scope="col" className={`${cell} font-normal whitespace-nowrap first:pl-2`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {attempts.map((build) => (
            <tr
              key={build.number}
              aria-current={build.number === number ? 'page' : undefined}
              className="border-t border-line aria-[current=page]:bg-accent-soft max-sm:grid max-sm:grid-cols-[auto_auto_1fr] max-sm:items-center"
            >
              <th scope="row" className={`${cell} pl-2 font-normal whitespace-nowrap`}>
                <Link
                  href={paths.build(namespace, name, build.number)}
                  aria-current={build.number === number ? 'page' : undefined}
                  className="flex items-center gap-2 rounded-sm tabular-nums hover:underline touch:min-h-11"
                >
                  <StatusIcon status={shownStatus(build)} />#{build.number}
                </Link>
              </th>
              <td className={`${cell} whitespace-nowrap`}>
                <Duration status={build.status} started={build.started} finished={build.finished} />
              </td>
              <td className={`${cell} ${line} max-sm:order-1`}>
                <bdi>{userActionOf(build) ?? eventDescription(build)}</bdi>
              </td>
              <td className={`${cell} ${line} max-sm:order-2`}>
                <bdi>{ranIn(build)}</bdi>
              </td>
              <td className={`${cell} whitespace-nowrap text-muted max-sm:text-right`}>
                <RelativeTime seconds={build.created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
