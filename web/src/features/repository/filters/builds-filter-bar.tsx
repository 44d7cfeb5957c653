import { useBranchNames, useTargetNames } from '../../../api/name-suggestions.ts'
import { FilterBar, FilterFields } from '../../filters/index.ts'
import type { RepositoryPageProps } from '../layout.tsx'
import { useBuildCounts } from './use-build-counts.ts'

/** The filter of the build list. */
export function BuildsFilterBar(props: RepositoryPageProps) {
  return (
    <FilterBar list="builds">
      <Fields {...props} />
    </FilterBar>
  )
}

/** Requests the names of branches and environments, so it is only rendered in an open bar. */
function Fields({ namespace, name }: RepositoryPageProps) {
  const branches = useBranchNames(namespace, name)
  const environments = useTargetNames(namespace, name)
  const counts = useBuildCounts({ namespace, name })
  const feed = { path: `/api/repos/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/builds/feed.atom` }
  return <FilterFields list="builds" branches={branches} environments={environments} feed={feed} counts={counts} />
}
