import { texts } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'

import { moreOf } from '../../api/more-of.ts'
import { failedRead } from '../../api/query-client.ts'
import { buildsQuery, flattenBuilds } from '../../api/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Redirect } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { BuildsChart } from './builds-chart.tsx'
import { BuildsSummary } from './builds-summary.tsx'
import { Executions } from './executions.tsx'
import { useListFilter } from '../filters/index.ts'
import { BuildsFilterBar } from './filters/builds-filter-bar.tsx'
import { FilteredBuilds } from './filters/filtered-builds.tsx'
import { NoBuilds } from './first-build.tsx'
import type { RepositoryPageProps } from './layout.tsx'
import { BuildsSkeleton, pageClass } from './skeletons.tsx'
import { useRepo } from '../../api/use-repo.ts'

/** Specification §2 "Repository page: Builds tab". */
export function BuildsPage({ namespace, name }: RepositoryPageProps) {
  const repo = useRepo(namespace, name)
  const query = useInfiniteQuery(buildsQuery(namespace, name))
  const { data, error } = query
  const { conditions, filtered, now } = useListFilter('builds')
  useTitle(`Builds – ${repo.slug}`)
  if (!data && error?.message === texts.notFound) return <Redirect to="/404" />
  if (!data && error) {
    return <ErrorState {...failedRead('The builds', query)} />
  }
  if (!data) return <BuildsSkeleton />
  const builds = flattenBuilds(data.pages)
  if (builds.length === 0) return <NoBuilds repo={repo} />
  const more = moreOf(query)
  return (
    <div className={pageClass}>
      <div className="rounded-lg border border-line bg-surface">
        <BuildsSummary repo={repo} builds={builds} />
        {!filtered && <BuildsChart repo={repo} builds={builds} />}
      </div>
      <BuildsFilterBar namespace={namespace} name={name} />
      {filtered ? (
        <FilteredBuilds
          key={JSON.stringify(conditions)}
          repo={repo}
          conditions={conditions}
          now={now}
          loaded={builds}
          more={more}
        />
      ) : (
        <Executions repo={repo} builds={builds} more={more} />
      )}
    </div>
  )
}
