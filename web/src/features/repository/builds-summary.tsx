import type { Build, Repo } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { TimesLink } from '../times/index.ts'
import { medianMinutes, medianSeconds } from './median.ts'
import { useNarrow } from '../../browser/use-narrow.ts'
import { formatDuration } from '../../lib/duration.ts'
import { formatNumber } from '../../lib/text.ts'
import { cx } from '../../ui/class-names.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { shownStatus } from '../../lib/reason.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'

/**
 * One line of figures; if it is too narrow, labels are above the values. Shared with the skeleton.
 */
export const summaryClass =
  'flex h-11 items-center justify-between gap-x-1 border-b sm:gap-x-2 border-line px-3 md:px-4 lg:h-10 lg:justify-start lg:gap-x-8'

/** `gives`: this one is truncated first if the line is still too narrow. */
function Fact({ label, gives = false, children }: { label: string; gives?: boolean; children: ReactNode }) {
  return (
    <div className={cx('flex flex-col lg:flex-row lg:items-center lg:gap-2', gives ? 'min-w-0' : 'shrink-0')}>
      <dt className="truncate text-xs text-muted lg:text-sm">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-sm font-semibold whitespace-nowrap tabular-nums lg:text-base">
        {children}
      </dd>
    </div>
  )
}

/** Whole minutes as specified, and the exact time beside them. */
function Median({ builds }: { builds: readonly Build[] }) {
  const seconds = medianSeconds(builds)
  if (seconds === undefined) return '–'
  return (
    <>
      {/* On a phone it would take the space of another number. */}
      <span>{medianMinutes(seconds)} min</span>{' '}
      <span className="font-normal text-muted max-sm:sr-only">{formatDuration(seconds)}</span>
    </>
  )
}

function Status({ status }: { status: string }) {
  return (
    <>
      <span aria-hidden="true" className="inline-flex">
        <StatusIcon status={status} size={14} />
      </span>
      <span className="truncate">{status.replaceAll('_', ' ')}</span>
    </>
  )
}

/** Readings: Last Build and Last Status are those of the newest build. */
export function BuildsSummary({ repo, builds }: { repo: Repo; builds: readonly Build[] }) {
  const newest = builds[0]
  const narrow = useNarrow()
  return (
    <div className={summaryClass}>
      <dl className="contents">
        <Fact label="Total Builds">{formatNumber(repo.counter)}</Fact>
        <Fact label="Median Build">
          <Median builds={builds} />
        </Fact>
        <Fact label="Last Build">{newest ? <RelativeTime seconds={newest.created} short={narrow} /> : '–'}</Fact>
        <Fact label="Last Status" gives>
          {newest ? <Status status={shownStatus(newest)} /> : '–'}
        </Fact>
      </dl>
      <TimesLink namespace={repo.namespace} name={repo.name} />
    </div>
  )
}
