import type { Repo } from '@flightdeck/api'
import { memo, Suspense } from 'react'

import { failureHrefOf, failureReasonOf } from '../../api/failure-reason.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { StatusStrip } from './deferred-parts.ts'

const cardClass = 'flex h-26 flex-col justify-between rounded-lg border border-line bg-surface p-3'
/** Six cards if they fit; a phone shows three, so that the list stays visible. */
const gridClass = 'grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3 max-sm:[&>*:nth-child(n+4)]:hidden'

const Card = memo(function Card({ repo }: { repo: Repo }) {
  const { build } = repo
  if (!build) return null
  const reason = failureReasonOf(build)
  return (
    <li>
      <Link
        via="follow"
        href={failureHrefOf(repo.namespace, repo.name, build)}
        className={`${cardClass} transition-colors hover:bg-raised`}
      >
        <span className="flex min-w-0 items-center gap-2">
          <StatusIcon status={shownStatus(build)} size={18} />
          <span className="min-w-0 flex-1 truncate font-medium">{repo.slug}</span>
          <span className="shrink-0 text-sm text-muted tabular-nums">#{build.number}</span>
        </span>
        <span className="truncate text-ink">{buildTitle(build) || 'No message'}</span>
        <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
          {reason ? (
            <span className="min-w-0 flex-1 truncate" title={reason.text}>
              <ReasonText reason={reason} />
            </span>
          ) : (
            <>
              {build.target && <Chip title={build.target}>{build.target}</Chip>}
              <span className="flex-1" />
            </>
          )}
          <Duration status={build.status} started={build.started} finished={build.finished} className="shrink-0" />
          <span aria-hidden="true">·</span>
          <RelativeTime seconds={build.created} className="shrink-0 whitespace-nowrap" />
        </span>
      </Link>
    </li>
  )
})

export function RecentActivity({ repos }: { repos: readonly Repo[] }) {
  if (repos.length === 0) return null
  return (
    <section aria-labelledby="recent-activity" className="flex flex-col gap-3">
      <div className="flex items-center gap-x-3">
        <h2 id="recent-activity" className="text-lg font-semibold whitespace-nowrap">
          Recent Activity
        </h2>
        <Suspense>
          <StatusStrip />
        </Suspense>
      </div>
      <ul className={gridClass}>
        {repos.map((repo) => (
          <Card key={repo.slug} repo={repo} />
        ))}
      </ul>
    </section>
  )
}

export function RecentActivitySkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3">
      <Skeleton className="h-6 w-36" />
      <div className={gridClass}>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className={cardClass}>
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-2/5" />
          </div>
        ))}
      </div>
    </div>
  )
}
