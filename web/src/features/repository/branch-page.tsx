import { useInfiniteQuery } from '@tanstack/react-query'

import { failedRead } from '../../api/query-client.ts'
import { client } from '../../api/client.ts'
import { keyOf } from '../../api/keys.ts'
import { moreOf } from '../../api/more-of.ts'
import { flattenBuilds, pagedQuery } from '../../api/queries.ts'
import { useRepo } from '../../api/use-repo.ts'
import { useTitle } from '../../browser/use-title.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Executions } from './executions.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { RowsSkeleton } from './skeletons.tsx'

const branchBuildsQuery = (namespace: string, name: string, branch: string) =>
  pagedQuery(keyOf('listBranchBuilds', namespace, name, branch), (page) =>
    client.listBranchBuilds(namespace, name, branch, page),
  )

/** The builds of a branch, linked from a build's branch. */
export function BranchPage({ namespace, name, branch }: RepositoryPageProps & { branch: string }) {
  const repo = useRepo(namespace, name)
  const query = useInfiniteQuery(branchBuildsQuery(namespace, name, branch))
  const { data, error } = query
  useTitle(`${branch} – Branches – ${repo.slug}`)
  if (!data && error) return <ErrorState {...failedRead('The builds', query)} />
  if (!data) return <RowsSkeleton />
  const builds = flattenBuilds(data.pages)
  if (builds.length === 0) {
    return (
      <EmptyState
        title={`No builds of ${branch}`}
        message="Push to the branch or start a build manually."
        action={<LinkButton href={paths.branches(namespace, name)}>All branches</LinkButton>}
      />
    )
  }
  return (
    <>
      <p>
        <Link
          href={paths.branches(namespace, name)}
          className="rounded-sm text-sm text-muted hover:text-ink hover:underline touch:py-3"
        >
          ← All branches
        </Link>
      </p>
      <Executions repo={repo} builds={builds} of={branch} more={moreOf(query)} />
    </>
  )
}
