import type { Build, Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { failedRead } from '../../api/query-client.ts'
import { queryOf } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { withParams } from '../../lib/search-params.ts'
import { Link } from '../../ui/link.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import {
  countLoaded,
  FilterBar,
  FilterFields,
  matchesFilter,
  useListFilter,
  type Conditions,
} from '../filters/index.ts'
import { LatestList, rowText } from './latest-list.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { RowsSkeleton } from './skeletons.tsx'
import { useRepo } from '../../api/use-repo.ts'

const branches = {
  of: 'Branch',
  list: 'branches',
  endpoint: 'listBranches',
  title: 'Branches',
  what: 'The branches',
  empty: 'Your Branch List is Empty.',
  next: 'This list will be populated when you execute a pipeline for an open branch.',
} as const

const deployments = {
  of: 'Environment',
  list: 'deployments',
  endpoint: 'listDeployments',
  title: 'Deployments',
  what: 'The deployments',
  empty: 'Your Deployment List is Empty.',
  next: 'Deployments appear here after you promote a build to an environment.',
} as const

const pulls = {
  of: 'Pull request',
  list: 'pulls',
  endpoint: 'listPulls',
  title: 'Pull requests',
  what: 'The pull requests',
  empty: 'Your Pull Request List is Empty.',
  next: 'Pull requests appear here after their first build.',
} as const

type Latest = typeof branches | typeof deployments | typeof pulls

function LatestPage({ list, namespace, name }: RepositoryPageProps & { list: Latest }) {
  const repo = useRepo(namespace, name)
  const query = useQuery(queryOf(list.endpoint, namespace, name))
  useTitle(`${list.title} – ${repo.slug}`)
  if (!query.data) return query.error ? <ErrorState {...failedRead(list.what, query)} /> : <RowsSkeleton />
  if (query.data.length === 0) return <EmptyState title={list.empty} message={list.next} />
  return (
    <>
      <FilterBar list={list.list}>
        <Fields list={list} repo={repo} builds={query.data} />
      </FilterBar>
      <Filtered list={list} repo={repo} builds={query.data} />
    </>
  )
}

interface ListProps {
  list: Latest
  repo: Repo
  builds: readonly Build[]
}

/** The search text is also matched against the texts that the row shows. */
const matcherOf =
  (of: Latest['of'], slug: string, now: number) =>
  (build: Build, { text, ...others }: Conditions): boolean =>
    matchesFilter(build, others, now) &&
    (text === undefined ||
      matchesFilter(build, { text }, now) ||
      rowText(of, build, slug).toLowerCase().includes(text.toLowerCase()))

const itself = (build: Build): Build => build

function Fields({ list, repo, builds }: ListProps) {
  const { conditions, now } = useListFilter(list.list)
  const counts = countLoaded(builds, itself, matcherOf(list.of, repo.slug, now), conditions)
  return <FilterFields list={list.list} counts={{ counts, isCurrent: true }} />
}

/** Servers send the whole of these lists, so the page filters them. */
function Filtered({ list, repo, builds }: ListProps) {
  const { conditions, now } = useListFilter(list.list)
  const matches = matcherOf(list.of, repo.slug, now)
  const met = builds.filter((build) => matches(build, conditions))
  if (met.length === 0) {
    return (
      <EmptyState
        title={`No ${list.title.toLowerCase()} match these filters`}
        message={`${builds.length === 1 ? 'One is' : `All ${builds.length} are`} hidden. Remove a filter to see more.`}
      />
    )
  }
  if (list.of === 'Environment') return <Deployments repo={repo} builds={met} all={builds} />
  const first = list.of === 'Branch' ? repo.default_branch || undefined : undefined
  return <LatestList of={list.of} builds={met} repo={repo} first={first} />
}

/** Specification §2 "Repository page: Branches tab". */
export const BranchesPage = (props: RepositoryPageProps) => <LatestPage list={branches} {...props} />

const EnvironmentPanel = lazyPart(async () => (await import('./environments/environment-panel.tsx')).EnvironmentPanel)
const ProtectedEnvironments = lazyPart(
  async () => (await import('./environments/protected-environments.tsx')).ProtectedEnvironments,
)
/** The parameter that names the open environment. */
const openParam = 'environment'

/**
 * The newest deployment of each environment; its panel opens below its row. `all`: also those that
 * the filter hides.
 */
function Deployments({ repo, builds, all }: { repo: Repo; builds: readonly Build[]; all: readonly Build[] }) {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const open = useSearchParams().get(openParam)
  const toggle = useCallback(
    (build: Build): void => {
      const name = build.deploy_to === open ? undefined : build.deploy_to
      navigate(`${pathname}${withParams(search, { [openParam]: name })}`, { replace: true, keepOpen: true })
    },
    [navigate, open, pathname, search],
  )
  const isUnknown = open !== null && !all.some(({ deploy_to: name }) => name === open)
  return (
    <>
      {isUnknown && (
        <p>
          Nothing has been deployed to <bdi className="font-medium wrap-anywhere">{open}</bdi>.{' '}
          <Link
            href={`${pathname}${withParams(search, { [openParam]: undefined })}`}
            className="text-accent hover:underline"
          >
            Show all environments
          </Link>
        </p>
      )}
      <LatestList
        of="Environment"
        builds={builds}
        repo={repo}
        onToggle={toggle}
        open={open}
        below={
          open !== null && (
            <section aria-label={`Environment ${open}`} className="border-t border-line bg-canvas px-4 py-3">
              <ErrorBoundary region="The environment" resetKey={open}>
                <Suspense fallback={<LoadingText text="Loading the environment" />}>
                  <EnvironmentPanel repo={repo} environment={open} latest={all} />
                </Suspense>
              </ErrorBoundary>
            </section>
          )
        }
      />
    </>
  )
}

/** Specification §2 "Repository page: Deployments tab". */
export function DeploymentsPage(props: RepositoryPageProps) {
  const repo = useRepo(props.namespace, props.name)
  const own = useCapability('environments')
  const open = useSearchParams().get(openParam)
  const { data, isPending } = useQuery(queryOf('listDeployments', props.namespace, props.name))
  const isOpen = open !== null && (isPending || data?.some(({ deploy_to: name }) => name === open))
  return (
    <>
      <LatestPage list={deployments} {...props} />
      {/* An open environment shows its own rule, and grows. */}
      {own && !isOpen && (
        <Suspense>
          <ProtectedEnvironments repo={repo} />
        </Suspense>
      )}
    </>
  )
}

/** The last build of each pull request; one that is closed leaves the list (docs/api §1.15). */
export const PullsPage = (props: RepositoryPageProps) => <LatestPage list={pulls} {...props} />
