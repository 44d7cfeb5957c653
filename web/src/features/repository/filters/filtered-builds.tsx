import type { Build, Repo } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'

import { useCapability } from '../../../api/capabilities.ts'
import { moreOf } from '../../../api/more-of.ts'
import { failedRead } from '../../../api/query-client.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ShowMore, type More } from '../../../ui/show-more.tsx'
import { Executions } from '../executions.tsx'
import { RowsSkeleton } from '../skeletons.tsx'
import { matchesFilter, type Conditions } from '../../filters/index.ts'
import { filteredBuildsQuery } from './filtered-query.ts'
import { plural } from '../../../lib/text.ts'

interface FilteredProps {
  repo: Repo
  conditions: Conditions
  /** In Unix seconds: a running build has its duration so far. */
  now: number
  /** The loaded builds; live events update them. */
  loaded: readonly Build[]
  /** Loads more of them. */
  more: More
}

const none = 'No builds match these filters'
const searchOlder = 'Search older builds'

/** The newer of two versions of each build. */
const freshest = (builds: readonly Build[], loaded: readonly Build[]): Build[] => {
  const known = new Map(loaded.map((build) => [build.number, build]))
  return builds.map((build) => {
    const other = known.get(build.number)
    return other && other.version > build.version ? other : build
  })
}

function FromServer({ repo, conditions, now, loaded }: FilteredProps) {
  const query = useInfiniteQuery(filteredBuildsQuery(repo.namespace, repo.name, conditions))
  const { data, error } = query
  if (!data && error) return <ErrorState {...failedRead('The builds', query)} />
  if (!data) return <RowsSkeleton />
  const known = new Set<number>()
  const found = data.pages.flatMap(({ builds }) => builds)
  // A new build that matches the filter is already loaded.
  const fresh = loaded.filter(
    (build) => matchesFilter(build, conditions, now) && build.number > (found[0]?.number ?? 0),
  )
  const builds = [...fresh, ...freshest(found, loaded)].filter(({ number }) => !known.has(number) && known.add(number))
  const more = moreOf(query)
  if (builds.length > 0) return <Executions repo={repo} builds={builds} more={more} />
  return (
    <EmptyState
      title={none}
      message={more.exists ? 'No matches so far. Older builds have not been searched.' : 'Remove a filter to see more.'}
      action={<ShowMore more={more} what="builds" label={searchOlder} />}
    />
  )
}

function FromLoaded({ repo, conditions, now, loaded, more }: FilteredProps) {
  const builds = loaded.filter((build) => matchesFilter(build, conditions, now))
  const further = more.exists && (
    <div className="flex flex-col items-center gap-2">
      <p className="text-muted">
        Only the last {plural(loaded.length, 'build')} {loaded.length === 1 ? 'was' : 'were'} searched.
      </p>
      <ShowMore more={more} what="builds" label={searchOlder} />
    </div>
  )
  return (
    <>
      {builds.length === 0 ? (
        <EmptyState title={none} message={more.exists ? 'No matches so far.' : 'Remove a filter to see more.'} />
      ) : (
        <Executions repo={repo} builds={builds} more={{ ...more, exists: false }} />
      )}
      {further}
    </>
  )
}

/**
 * The builds that match a filter: from the whole history if the server supports filters, else from
 * the loaded pages.
 */
export function FilteredBuilds(props: FilteredProps) {
  return useCapability('build_filters') ? <FromServer {...props} /> : <FromLoaded {...props} />
}
