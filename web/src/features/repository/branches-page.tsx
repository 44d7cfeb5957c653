import { useQuery } from '@tanstack/react-query'

import { errorText } from '../../api/query-client.ts'
import { branchesQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { LatestList } from './latest-list.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { RowsSkeleton } from './skeletons.tsx'
import { useRepo } from './use-repo.ts'

/** Specification §2 "Repository page: Branches tab". */
export function BranchesPage({ namespace, name }: RepositoryPageProps) {
  const repo = useRepo(namespace, name)
  const { data, error, refetch, isFetching } = useQuery(branchesQuery(namespace, name))
  useTitle(`Branches – ${repo.slug}`)
  if (!data && error) {
    return (
      <ErrorState
        message={`The branches could not be loaded: ${errorText(error)}`}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <RowsSkeleton />
  if (data.length === 0) {
    return (
      <EmptyState
        title="Your Branch List is Empty."
        message="This list will be populated when you execute a pipeline for an open branch."
      />
    )
  }
  return <LatestList of="Branch" builds={data} repo={repo} />
}
