import { useQuery } from '@tanstack/react-query'

import { failedRead } from '../../api/query-client.ts'
import { queryOf } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { LatestList } from './latest-list.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { RowsSkeleton } from './skeletons.tsx'
import { useRepo } from '../../api/use-repo.ts'

const branches = {
  of: 'Branch',
  endpoint: 'listBranches',
  title: 'Branches',
  what: 'The branches',
  empty: 'Your Branch List is Empty.',
  next: 'This list will be populated when you execute a pipeline for an open branch.',
} as const

const deployments = {
  of: 'Environment',
  endpoint: 'listDeployments',
  title: 'Deployments',
  what: 'The deployments',
  empty: 'Your Deployment List is Empty.',
  next: 'Deployments appear here after you promote a build to an environment.',
} as const

const pulls = {
  of: 'Pull request',
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
  return <LatestList of={list.of} builds={query.data} repo={repo} />
}

/** Specification §2 "Repository page: Branches tab". */
export const BranchesPage = (props: RepositoryPageProps) => <LatestPage list={branches} {...props} />

/** Specification §2 "Repository page: Deployments tab". */
export const DeploymentsPage = (props: RepositoryPageProps) => <LatestPage list={deployments} {...props} />

/** The last build of each pull request; one that is closed leaves the list (docs/api §1.15). */
export const PullsPage = (props: RepositoryPageProps) => <LatestPage list={pulls} {...props} />
