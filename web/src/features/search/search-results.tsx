import type { Repo } from '@flightdeck/api'

import { paths } from '../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../lib/reason.ts'
import { formatNumber } from '../../lib/text.ts'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

/** More than anybody reads; the rest is counted. */
const most = 100

function Result({ repo, query }: { repo: Repo; query: string }) {
  const { build } = repo
  const status = repo.active ? build && shownStatus(build) : 'inactive'
  const reason = repo.active && build ? reasonOf(build) : undefined
  return (
    <li>
      {/* In place of the drawer's own entry of the history: Back leads to where the search was opened. */}
      <Link
        href={paths.repo(repo.namespace, repo.name)}
        replace
        className="flex min-h-13 items-center gap-3 rounded-md px-3 py-1.5 hover:bg-raised focus-visible:bg-raised focus-visible:-outline-offset-2"
      >
        {status ? <StatusIcon status={status} /> : <span className="size-4 shrink-0" />}
        <span className="min-w-0">
          <span className="block truncate font-medium">{repo.slug}</span>
          <span className="block truncate text-sm text-muted">{`Found "${query}" in Repositories`}</span>
          {reason && (
            <span className="block truncate text-sm text-muted">
              <ReasonText reason={reason} />
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

const hint = 'px-3 py-8 text-center text-muted'

export function SearchResults({ query, found }: { query: string; found: readonly Repo[] }) {
  if (query === '') {
    return <p className={hint}>Type a part of a name. With a slash, what stands before it is the namespace.</p>
  }
  if (found.length === 0) return <p className={hint}>Repos not found</p>
  return (
    <>
      <ul>
        {found.slice(0, most).map((repo) => (
          <Result key={repo.slug} repo={repo} query={query} />
        ))}
      </ul>
      {found.length > most && (
        <p className={hint}>{formatNumber(found.length - most)} more. Type more to find fewer.</p>
      )}
    </>
  )
}

export function SearchSkeleton() {
  return (
    <div className="flex flex-col gap-2 p-3">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-10" />
      ))}
    </div>
  )
}
