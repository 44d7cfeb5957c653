import type { Build, Repo } from '@flightdeck/api'

import type { KnownBuild } from '../../api/known-builds.ts'
import { paths } from '../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../lib/reason.ts'
import { buildTitle, formatNumber } from '../../lib/text.ts'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import type { LoadedHits } from './loaded.ts'

/** More than anyone reads; for the rest only the number is shown. */
const maxRepos = 100

interface ResultProps {
  href: string
  name: string
  where: string
  /** The newest build of a repository, if it has one. */
  build: Build | undefined
  active: boolean
}

function Result({ href, name, where, build, active }: ResultProps) {
  const status = active ? build && shownStatus(build) : 'inactive'
  const reason = active && build ? reasonOf(build) : undefined
  return (
    <li>
      {/* Replaces the drawer's history entry: Back returns to where the search was opened. */}
      <Link
        href={href}
        replace
        className="flex min-h-13 items-center gap-3 rounded-md px-3 py-1.5 hover:bg-raised focus-visible:bg-raised focus-visible:-outline-offset-2"
      >
        {status ? <StatusIcon status={status} /> : <span className="size-4 shrink-0" />}
        <span className="min-w-0">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-muted">{where}</span>
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

function RepoResult({ repo, query }: { repo: Repo; query: string }) {
  return (
    <Result
      href={paths.repo(repo.namespace, repo.name)}
      build={repo.build}
      active={repo.active}
      name={repo.slug}
      where={`Found "${query}" in Repositories`}
    />
  )
}

/** For a branch, its newest known build, as on the page of branches. */
function BuildResult({ hit, kind, query }: { hit: KnownBuild; kind: 'Branches' | 'Builds'; query: string }) {
  const { namespace, name, build } = hit
  return (
    <Result
      href={paths.build(namespace, name, build.number)}
      build={build}
      active
      name={kind === 'Branches' ? build.target : `#${build.number} ${buildTitle(build) || 'No message'}`}
      where={`Found "${query}" in ${kind} of ${namespace}/${name}`}
    />
  )
}

const hint = 'px-3 py-8 text-center text-muted'

export interface SearchResultsProps {
  query: string
  found: readonly Repo[]
  loaded: LoadedHits
  /** The server is still searching for builds. */
  isPending: boolean
  note: string | undefined
}

export function SearchResults({ query, found, loaded: { branches, builds }, isPending, note }: SearchResultsProps) {
  if (query === '') {
    return <p className={hint}>Type part of a name, or namespace/name.</p>
  }
  const isEmpty = found.length + branches.length + builds.length === 0
  return (
    <>
      {isEmpty && <p className={hint}>{isPending ? 'Searching builds…' : 'Repos not found'}</p>}
      <ul>
        {found.slice(0, maxRepos).map((repo) => (
          <RepoResult key={repo.slug} repo={repo} query={query} />
        ))}
        {branches.map((hit) => (
          <BuildResult
            key={`${hit.namespace}/${hit.name} ${hit.build.target}`}
            hit={hit}
            kind="Branches"
            query={query}
          />
        ))}
        {builds.map((hit) => (
          <BuildResult key={`${hit.namespace}/${hit.name} ${hit.build.number}`} hit={hit} kind="Builds" query={query} />
        ))}
      </ul>
      {found.length > maxRepos && (
        <p className={hint}>{formatNumber(found.length - maxRepos)} more. Keep typing to narrow the results.</p>
      )}
      {note && <p className="px-3 py-4 text-center text-sm text-muted">{note}</p>}
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
