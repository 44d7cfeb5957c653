import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useMemo, useReducer, useState } from 'react'

import { connectedForge } from '../../api/forge.ts'
import { can } from '../../api/capabilities.ts'
import { cachedRepos } from '../../api/cached-repos.ts'
import { reposQuery, topQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { favoritesFirst, filterRepos, recentRepos, sorts, sortRepos } from '../../lib/repo-list.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { readPreference, usePreference } from '../../browser/preference.ts'
import { LoadingText } from '../../ui/skeleton.tsx'
import { useFilter } from '../../browser/use-filter.ts'
import { useTitle } from '../../browser/use-title.ts'
import { ActivateSeveral } from './activate-several.tsx'
import { useTools } from './deferred-parts.ts'
import { LicenceBanners } from './licence-banners.tsx'
import { ListHead } from './list-head.tsx'
import { RecentActivity, RecentActivitySkeleton } from './recent-activity.tsx'
import { RepoList, RepoListSkeleton } from './repo-list.tsx'
import { SyncButton } from './sync-button.tsx'
import { useStableOrder } from './use-stable-order.ts'

const SyncNotes = lazyPart(async () => (await import('./sync-note.tsx')).SyncNotes)

/** Waits until the user scrolls back to the top (design.md, rule 6). */
function NewActivity() {
  return (
    <div className="sticky top-16 z-10 -mb-11 flex justify-center">
      <Button
        variant="primary"
        onClick={() => {
          scrollTo({ top: 0 })
        }}
      >
        New activity
      </Button>
    </div>
  )
}

/** What is known about a list of which only the first rows are loaded. */
interface Partly {
  total: number
  /** Data cached from the last visit contains only the total. */
  active?: number
  /** The reason; absent if the page shows it elsewhere. */
  note?: string
}

const none: readonly Repo[] = []

/**
 * Minimum height above the list, in pixels: the page header and list header, and a row of cards.
 */
const heads = 117
const cards = 164

function Repositories({
  sorted,
  partly,
  above,
}: {
  sorted: readonly Repo[]
  partly: Partly | undefined
  above: number
}) {
  const me = useMe()
  const { navigate } = useNavigation()
  const params = useSearchParams()
  const show = params.get('show')
  const [storedOwner, keepOwner] = useState(() => readPreference('dashboard.owner'))
  const owner = params.get('owner') ?? storedOwner
  const [sort, setSort] = usePreference('dashboard.sort', sorts)
  const isUsual = !show && !owner && sort === sorts[0]
  const tools = useTools(!isUsual)
  const listed = useMemo(
    () => (isUsual ? favoritesFirst(sorted, me?.favorites) : tools?.inView(sorted, { sort, show, owner }, me)),
    [isUsual, sorted, tools, sort, show, owner, me],
  )
  const { repos, waiting } = useStableOrder(listed ?? none)
  const [filter, setFilter] = useFilter()
  const [active, setActive] = usePreference('dashboard.active-only', ['off', 'on'])
  const [all, showAll] = useReducer(() => true, false)
  // Typed text renders first, the list of thousands right after it.
  const deferredFilter = useDeferredValue(filter)
  const found = useMemo(() => filterRepos(repos, deferredFilter, active === 'on'), [repos, deferredFilter, active])
  const known =
    deferredFilter.trim() === '' && !show && !owner ? (active === 'on' ? partly?.active : partly?.total) : undefined
  // Some rows are not loaded, so the number of matches is unknown.
  const count = known ?? (partly || !listed ? undefined : found.length)
  return (
    <section aria-labelledby="repositories" aria-busy={!!partly} className="flex flex-col gap-3">
      <ListHead
        count={count}
        note={partly?.note}
        filter={filter}
        onFilter={setFilter}
        active={active}
        onActive={setActive}
        sort={sort}
        onSort={setSort}
        owner={owner}
        onOwner={keepOwner}
      />
      {waiting && <NewActivity />}
      {!listed || (partly && found.length === 0) ? (
        <RepoListSkeleton />
      ) : found.length > 0 ? (
        <RepoList
          repos={found}
          count={count ?? found.length}
          all={all}
          starred={can(me, 'favorites')}
          above={above}
          onShowAll={showAll}
        />
      ) : (
        <EmptyState
          title="No repositories match"
          message="None of your repositories match the filter."
          action={
            <Button
              onClick={() => {
                setFilter('')
                setActive('off')
                tools?.forgetOwner()
                keepOwner(undefined)
                navigate(paths.home, { replace: true, keepOpen: true })
              }}
            >
              Show all repositories
            </Button>
          }
        />
      )}
    </section>
  )
}

function Content() {
  const me = useMe()
  const [cached] = useState(() => cachedRepos(me))
  const { data: top } = useQuery(topQuery())
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...reposQuery(),
    placeholderData: top?.repos ?? cached?.repos,
  })
  const failed = error && !data
  const repos = failed ? top?.repos : data
  const sorted = useMemo(() => repos && sortRepos(repos), [repos])
  const recent = useMemo(() => sorted && recentRepos(sorted), [sorted])
  if (sorted && recent) {
    if (sorted.length === 0) {
      return (
        <EmptyState
          title="Your Repository List is Empty."
          message="Press Sync to load your repositories. If the list stays empty, ask an administrator for access."
        />
      )
    }
    const partly: Partly | undefined = failed
      ? top
      : isPlaceholderData
        ? top
          ? { ...top, note: 'Loading more repositories…' }
          : cached && { total: cached.total, note: 'Showing data from your last visit. Updating…' }
        : undefined
    return (
      <>
        {failed && <ErrorState {...failedRead('The rest of the repositories', { error, isFetching, refetch })} />}
        <RecentActivity repos={recent} />
        {recent.length === 0 && sorted.some((repo) => canAdminister(me, repo)) && (
          <p>No builds yet. Open a repository, activate it and run the first build.</p>
        )}
        <ErrorBoundary region="The list of repositories">
          <Repositories sorted={sorted} partly={partly} above={recent.length > 0 ? heads + cards : heads} />
        </ErrorBoundary>
      </>
    )
  }
  if (error) {
    return <ErrorState {...failedRead('The repositories', { error, isFetching, refetch })} />
  }
  return (
    <>
      <LoadingText text="Loading repositories" />
      <RecentActivitySkeleton />
      <div className="flex flex-col gap-3">
        <div className="h-8 max-lg:h-18 max-sm:h-26.25 touch:h-11 max-lg:touch:h-24 max-sm:touch:h-37" />
        <RepoListSkeleton />
      </div>
    </>
  )
}

export function DashboardPage() {
  useTitle('Dashboard')
  const hasSyncNotes = useMe()?.sync_refused !== undefined || connectedForge() !== undefined
  return (
    <>
      <LicenceBanners />
      <PageHeader
        title="Dashboard"
        actions={
          <>
            <ActivateSeveral />
            <SyncButton />
          </>
        }
      />
      <PageBody>
        {hasSyncNotes && (
          <Suspense>
            <SyncNotes />
          </Suspense>
        )}
        <Content />
      </PageBody>
    </>
  )
}
