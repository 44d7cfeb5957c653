import { useBranchNames, useTargetNames } from '../../../api/name-suggestions.ts'
import { FilterBar, FilterFields } from '../../filters/index.ts'
import type { RepositoryPageProps } from '../layout.tsx'
import { useBuildCounts } from './use-build-counts.ts'

/** What the list of builds is filtered by. */
export function BuildsFilterBar(props: RepositoryPageProps) {
  return (
    <FilterBar list="builds">
      <Fields {...props} />
    </FilterBar>
  )
}

/** Asks for the names of branches and environments, so only a bar that is open has them. */
function Fields({ namespace, name }: RepositoryPageProps) {
  const branches = useBranchNames(namespace, name)
  const environments = useTargetNames(namespace, name)
  const counts = useBuildCounts({ namespace, name })
  const feed = { path: `/api/repos/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/builds/feed.atom` }
  return <FilterFields list="builds" branches={branches} environments={environments} feed={feed} counts={counts} />
}
