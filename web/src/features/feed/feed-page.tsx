import type { Repo, RepoWithBuild } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'

import { queryOf, reposQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { useMe } from '../../api/session.ts'
import { failureHrefOf, failureReasonOf } from '../../api/failure-reason.ts'
import { isMine } from '../../lib/my-builds.ts'
import { paths } from '../../lib/paths.ts'
import { withParams } from '../../lib/search-params.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'
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
import { tabClass } from '../../ui/tabs.tsx'
import { usePortion } from '../../ui/use-portion.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { BuildActor } from '../common/build-actor.tsx'
import { userActionOf } from '../events/index.ts'
import {
  countLoaded,
  FilterBar,
  FilterButtons,
  FilterFields,
  matchesFilter,
  useListFilter,
  type Conditions,
} from '../filters/index.ts'
import { readFeedFilter, type FeedFilter } from './feed-filter.ts'
import { awaitingApprovalBy, isUnfinishedBuild, keyOf, loadedBuilds, unfinishedBuilds } from './waiting.ts'

const listClass = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface'
const rowClass = 'flex h-(--row) items-center gap-3 px-3'

const FeedRow = memo(function FeedRow({ item }: { item: RepoWithBuild }) {
  const { namespace, name, build } = item
  const reason = failureReasonOf(build)
  return (
    <li>
      <Link
        data-row
        via="follow"
        href={failureHrefOf(namespace, name, build)}
        className={`${rowClass} transition-colors hover:bg-raised focus-visible:-outline-offset-2`}
      >
        <StatusIcon status={shownStatus(build)} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{buildTitle(build) || `Build #${build.number}`}</span>
          <span className="block truncate text-sm text-muted">
            {`${item.slug} #${build.number} · `}
            {reason ? <ReasonText reason={reason} /> : (userActionOf(build) ?? build.event.replaceAll('_', ' '))}
            {build.target && (
              <span className="lg:hidden">
                {' · '}
                <bdi>{build.target}</bdi>
              </span>
            )}
          </span>
        </span>
        <span className="hidden w-32 lg:flex xl:w-52">{build.target && <Chip>{build.target}</Chip>}</span>
        <BuildActor build={build} />
        <RelativeTime seconds={build.created} className="text-right text-sm whitespace-nowrap text-muted md:w-36" />
        <span className="hidden w-16 text-right text-sm text-muted md:block">
          <Duration status={build.status} started={build.started} finished={build.finished} />
        </span>
      </Link>
    </li>
  )
})

const none: readonly Repo[] = []
const noBuilds: readonly RepoWithBuild[] = []

function FeedList({ title, items }: { title: string; items: readonly RepoWithBuild[] }) {
  const { visible, more } = usePortion(items.length)
  if (items.length === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <ul className={listClass}>
        {items.slice(0, visible).map((item) => (
          <FeedRow key={keyOf(item)} item={item} />
        ))}
      </ul>
      {more && <div>{more}</div>}
    </section>
  )
}

/** Texts for an empty list. */
const nothing: Record<Exclude<FeedFilter, 'all'>, { title: string; message: string }> = {
  mine: {
    title: 'You have no recent builds',
    message: 'Builds that you start, and builds of your commits, appear here.',
  },
  waiting: { title: 'Nothing is waiting for you', message: 'Builds that you can approve appear here while they wait.' },
}

/**
 * Selects which builds are shown. These are buttons, so that the page's only links are those to
 * builds.
 */
function ShownChoice({ shown, waiting }: { shown: FeedFilter; waiting: number }) {
  const { navigate } = useNavigation()
  const { search } = useAddress()
  const choices: readonly [FeedFilter, string][] = [
    ['mine', 'My builds'],
    ['waiting', waiting === 0 ? 'Waiting for me' : `Waiting for me (${waiting})`],
    ['all', 'All'],
  ]
  return (
    <div role="group" aria-label="Show builds" className="-mb-px flex gap-5 overflow-x-auto overflow-y-hidden">
      {choices.map(([choice, label]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === shown}
          className={tabClass(choice === shown)}
          onClick={() =>
            navigate(`${paths.feed}${withParams(search, { show: choice === 'all' ? undefined : choice })}`)
          }
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** Queued and running builds, builds that wait for this user, and builds that match a filter. */
const useFeed = () => {
  const me = useMe()
  const recent = useQuery(queryOf('listRecent'))
  const { data: repos = none, isLoading: areReposLoading } = useQuery(reposQuery())
  const now = useMemo(() => recent.data && unfinishedBuilds(recent.data, repos), [recent.data, repos])
  const waiting = useMemo(() => awaitingApprovalBy(me, now ?? [], repos), [me, now, repos])
  const matchesFilter = (item: RepoWithBuild, shown: FeedFilter): boolean =>
    shown === 'all' || (shown === 'waiting' ? waiting.includes(item) : me !== undefined && isMine(item.build, me))
  return { ...recent, now, repos, areReposLoading, waiting, meets: matchesFilter }
}

interface FeedProps {
  shown: FeedFilter
  feed: ReturnType<typeof useFeed>
}

/** The search text also matches the name of the repository. */
const matcherOf =
  (now: number) =>
  ({ slug, build }: RepoWithBuild, { text, ...others }: Conditions): boolean =>
    matchesFilter(build, others, now) &&
    (text === undefined || slug.toLowerCase().includes(text.toLowerCase()) || matchesFilter(build, { text }, now))

const buildOf = ({ build }: RepoWithBuild) => build

/** The loaded builds of the selected tab; servers send no more of this list. */
const useLoaded = ({ shown, feed }: FeedProps): RepoWithBuild[] => {
  const { data: recent = noBuilds, repos, meets } = feed
  const loaded = useMemo(() => loadedBuilds(recent, repos), [recent, repos])
  return loaded.filter((item) => meets(item, shown))
}

function FeedFields({ shown, feed }: FeedProps) {
  const { conditions, now } = useListFilter('feed')
  const counts = countLoaded(useLoaded({ shown, feed }), buildOf, matcherOf(now), conditions)
  return (
    <FilterFields
      list="feed"
      feed={{ path: '/api/user/feed.atom', show: shown === 'all' ? undefined : shown }}
      counts={{ counts: feed.data && counts, isCurrent: true }}
    />
  )
}

/** The loaded builds that match the filter. */
function FilteredFeed({ shown, feed }: FeedProps) {
  const { conditions, now } = useListFilter('feed')
  const matches = matcherOf(now)
  const found = useLoaded({ shown, feed }).filter((item) => matches(item, conditions))
  return (
    <>
      {found.length === 0 && (
        <EmptyState title="No builds match these filters" message="Remove a filter to see more." />
      )}
      <FeedList title="Matching builds" items={found} />
      <p className="text-sm text-muted">
        Filters apply to the latest builds across all repositories and to the latest build of each. To search older
        builds, open the Builds tab of a repository.
      </p>
    </>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <LoadingText text="Loading builds" />
      <Skeleton className="h-6 w-40" />
      <div className={listClass}>
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} className={rowClass}>
            <Skeleton className="size-4 rounded-full" />
            <span className="flex-1">
              <Skeleton className="h-4 w-3/5" />
            </span>
            <Skeleton className="h-4 w-16" />
          </div>
        ))}
      </div>
    </div>
  )
}

function Feed({ shown, feed }: FeedProps) {
  const { data: recent, error, refetch, isFetching } = feed
  const { filtered } = useListFilter('feed')
  if (recent && filtered) return <FilteredFeed shown={shown} feed={feed} />
  if (recent && feed.now) {
    const now = feed.now.filter((item) => feed.meets(item, shown))
    const finished = recent.filter((item) => !isUnfinishedBuild(item) && feed.meets(item, shown))
    if (now.length === 0 && finished.length === 0 && feed.areReposLoading) return <Loading />
    if (shown !== 'all' && now.length === 0 && finished.length === 0) return <EmptyState {...nothing[shown]} />
    if (now.length === 0 && finished.length === 0)
      return <EmptyState title="It looks a little empty here!" message="Builds appear here as soon as they start." />
    return (
      <>
        {shown === 'all' && now.length === 0 && <p className="text-muted">Nothing is queued or running.</p>}
        <FeedList title={shown === 'waiting' ? 'Waiting for approval' : 'Queued and running'} items={now} />
        <FeedList title="Recently finished" items={finished} />
      </>
    )
  }
  if (error) {
    return <ErrorState {...failedRead('The recent builds', { error, isFetching, refetch })} />
  }
  return <Loading />
}

/**
 * Waiting and running builds, then other recent ones; finished and declined builds disappear
 * (readings, "Getting in").
 */
export function FeedPage() {
  useTitle('Builds feed')
  const shown = readFeedFilter(useSearchParams().get('show'))
  const feed = useFeed()
  const { navigate } = useNavigation()
  return (
    <>
      <PageHeader
        title="Builds feed"
        tabs={<ShownChoice shown={shown} waiting={feed.waiting.length} />}
        actions={
          <>
            {/* A button, so that the page's only links are those to builds. */}
            <Button variant="quiet" onClick={() => navigate(paths.wall)}>
              Wall
            </Button>
            <FilterButtons list="feed" mine={false} />
          </>
        }
      />
      <PageBody>
        <FilterBar list="feed">
          <FeedFields shown={shown} feed={feed} />
        </FilterBar>
        <Feed shown={shown} feed={feed} />
      </PageBody>
    </>
  )
}
