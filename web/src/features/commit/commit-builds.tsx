import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { failedRead } from '../../api/query-client.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { BuildRow, RowsSkeleton } from '../repository/index.ts'

function List({ repo, sha }: { repo: Repo; sha: string }) {
  const query = useQuery(ownQueryOf('listCommitBuilds', repo.namespace, repo.name, sha))
  if (!query.data) return query.error ? <ErrorState {...failedRead('The builds', query)} /> : <RowsSkeleton rows={1} />
  if (query.data.length === 0) return <p className="text-muted">No builds of this commit.</p>
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {query.data.map((build) => (
        <BuildRow key={build.number} build={build} repo={repo} />
      ))}
    </ul>
  )
}

/** The builds of a commit. `sha`: the full one, once known. */
export function CommitBuilds({ repo, sha }: { repo: Repo; sha: string | undefined }) {
  return (
    <section aria-labelledby="builds" className="flex flex-col gap-1.5">
      <h2 id="builds" className="text-lg font-semibold">
        Builds of this commit
      </h2>
      {sha === undefined ? <RowsSkeleton rows={1} /> : <List repo={repo} sha={sha} />}
    </section>
  )
}
