import type { RepoTimes } from '@flightdeck/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ownQueryOf } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { buildsQuery, flattenBuilds } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { useRepo } from '../../api/use-repo.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { plural } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RowsSkeleton } from '../repository/index.ts'
import { BranchChoice } from './branch-choice.tsx'
import { Changes } from './changes.tsx'
import { maxRead, readTimesQuery } from './from-details.ts'
import { tableOf } from './step-times.ts'
import { TimesTable } from './times-table.tsx'

interface Place {
  namespace: string
  name: string
}

function TimesTables({ namespace, name, times }: Place & { times: RepoTimes }) {
  const steps = tableOf(times)
  if (steps.length === 0)
    return <EmptyState title="No durations yet" message={`No step on ${times.branch} has finished yet.`} />
  const caption = `Last ${plural(times.builds.length, 'build')} of ${times.branch}. Durations count successful runs only.`
  return (
    <>
      <Changes {...{ namespace, name, times, steps }} />
      <TimesTable steps={steps} caption={caption} />
    </>
  )
}

function Own({ namespace, name, branch }: Place & { branch: string }) {
  const { data, error, isFetching, refetch } = useQuery(ownQueryOf('getRepoTimes', namespace, name, { branch }))
  if (!data && error) return <ErrorState {...failedRead('The step durations', { error, isFetching, refetch })} />
  return data ? <TimesTables {...{ namespace, name }} times={data} /> : <RowsSkeleton />
}

/** Takes one request per build, so it runs only on request. */
function Read({ namespace, name, branch }: Place & { branch: string }) {
  const [isRequested, setRequested] = useState(false)
  const { data: pages } = useInfiniteQuery(buildsQuery(namespace, name))
  const listed = pages ? flattenBuilds(pages.pages) : []
  const query = useQuery({
    ...readTimesQuery(namespace, name, branch, listed),
    enabled: isRequested && pages !== undefined,
  })
  const { data, error, isFetching, refetch } = query
  if (!data && error) return <ErrorState {...failedRead('The step durations', { error, isFetching, refetch })} />
  if (data) return <TimesTables {...{ namespace, name }} times={data} />
  return (
    <EmptyState
      title="Load durations from the builds"
      message={`This server reports durations per build only, so the last ${maxRead} builds of ${branch} are loaded one by one.`}
      action={
        <Button busy={isRequested} onClick={() => setRequested(true)}>
          Load durations
        </Button>
      }
    />
  )
}

/**
 * The durations of a repository's steps, which became slower since when, and how often they fail.
 */
export function TimesPage({ namespace, name }: Place) {
  const repo = useRepo(namespace, name)
  const own = useCapability('step_times')
  const branch = useSearchParams().get('branch') || repo.default_branch
  useTitle(`Step durations – ${repo.slug}`)
  const Times = own ? Own : Read
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">Durations</h2>
        <BranchChoice {...{ namespace, name, branch }} />
      </div>
      <Times key={branch} {...{ namespace, name, branch }} />
    </div>
  )
}
