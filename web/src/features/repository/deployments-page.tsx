import { useQuery } from '@tanstack/react-query'

import { errorText } from '../../api/query-client.ts'
import { deploymentsQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { LatestList } from './latest-list.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { RowsSkeleton } from './skeletons.tsx'
import { useRepo } from './use-repo.ts'

/** Specification §2 "Repository page: Deployments tab". */
export function DeploymentsPage({ namespace, name }: RepositoryPageProps) {
  const repo = useRepo(namespace, name)
  const { data, error, refetch, isFetching } = useQuery(deploymentsQuery(namespace, name))
  useTitle(`Deployments – ${repo.slug}`)
  if (!data && error) {
    return (
      <ErrorState
        message={`The deployments could not be loaded: ${errorText(error)}`}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <RowsSkeleton />
  if (data.length === 0) {
    return (
      <EmptyState
        title="Your Deployment List is Empty."
        message="Promote a finished build to an environment, and it is listed here."
      />
    )
  }
  return <LatestList of="Environment" builds={data} repo={repo} />
}
