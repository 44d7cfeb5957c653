import type { RepoWithBuild } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'

import { queryOf } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { deedOf } from '../events/index.ts'

const listClass = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface'
const rowClass =
  'grid h-13 grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 px-3 md:grid-cols-[1rem_minmax(0,1fr)_minmax(0,12rem)_8rem_5rem]'

const FeedRow = memo(function FeedRow({ item }: { item: RepoWithBuild }) {
  const { namespace, name, build } = item
  const reason = reasonOf(build)
  return (
    <li>
      <Link
        data-row
        came="follow"
        href={paths.build(namespace, name, build.number)}
        className={`${rowClass} transition-colors hover:bg-raised focus-visible:-outline-offset-2`}
      >
        <StatusIcon status={shownStatus(build)} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{buildTitle(build) || `Build #${build.number}`}</span>
          <span className="block truncate text-sm text-muted">
            {`${item.slug} #${build.number} · `}
            {reason ? <ReasonText reason={reason} /> : (deedOf(build) ?? build.event)}
          </span>
        </span>
        <span className="hidden min-w-0 md:flex">{build.target && <Chip>{build.target}</Chip>}</span>
        <RelativeTime seconds={build.created} className="text-right text-sm whitespace-nowrap text-muted" />
        <span className="hidden text-right text-sm text-muted md:block">
          <Duration status={build.status} started={build.started} finished={build.finished} />
        </span>
      </Link>
    </li>
  )
})

function Feed() {
  const { data, error, refetch, isFetching } = useQuery(queryOf('listRecent'))
  if (data?.length === 0) {
    return <EmptyState title="It looks a little empty here!" message="Builds appear here as soon as they start." />
  }
  if (data) {
    return (
      <ul className={listClass}>
        {data.map((item) => (
          <FeedRow key={`${item.slug} ${item.build.number}`} item={item} />
        ))}
      </ul>
    )
  }
  if (error) {
    return <ErrorState {...failedRead('The recent builds', { error, isFetching, refetch })} />
  }
  return (
    <div className={listClass}>
      <LoadingText text="Loading builds" />
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={rowClass}>
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  )
}

/** The recent builds as they change; finished and declined ones leave (readings, "Getting in"). */
export function FeedPage() {
  useTitle('Builds feed')
  return (
    <>
      <PageHeader title="Builds feed" />
      <PageBody>
        <Feed />
      </PageBody>
    </>
  )
}
