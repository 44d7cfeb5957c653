import type { Build, Repo } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { medianMinutes, medianSeconds } from './median.ts'
import { formatNumber } from '../../lib/text.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-19 min-w-0 flex-col gap-1 px-4 py-3">
      <dt className="truncate text-sm text-muted">{label}</dt>
      <dd className="flex min-h-7 min-w-0 items-center text-base font-semibold tabular-nums lg:text-xl">{children}</dd>
    </div>
  )
}

function Median({ builds }: { builds: readonly Build[] }) {
  const seconds = medianSeconds(builds)
  if (seconds === undefined) return '–'
  return (
    <span>
      <span>{medianMinutes(seconds)}</span> <span className="text-base font-normal text-muted">min</span>
    </span>
  )
}

/** Readings: Last Build and Last Status are those of the newest build. */
export function BuildsSummary({ repo, builds }: { repo: Repo; builds: readonly Build[] }) {
  const newest = builds[0]
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-surface md:grid-cols-4">
      <Fact label="Total Builds">{formatNumber(repo.counter)}</Fact>
      <Fact label="Median Build">
        <Median builds={builds} />
      </Fact>
      <Fact label="Last Build">{newest ? <RelativeTime seconds={newest.created} /> : '–'}</Fact>
      <Fact label="Last Status">{newest ? <StatusBadge status={newest.status} /> : '–'}</Fact>
    </dl>
  )
}
