import { pullNumber, type Build, type Repo } from '@flightdeck/api'
import { ChevronRight, Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import { memo, useDeferredValue, type ReactNode } from 'react'

import type { KnownBuild } from '../../api/known-builds.ts'
import { setTheme, themes, type Theme } from '../../browser/theme.ts'
import { paths } from '../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../lib/reason.ts'
import { buildTitle, formatNumber } from '../../lib/text.ts'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { matchesLabel, type FoundAction } from './actions-in-view.ts'
import type { LoadedHits } from './loaded.ts'

const rowClass =
  'flex min-h-(--row) w-full items-center gap-3 rounded-md px-3 py-(--row-space) text-left hover:bg-raised focus-visible:bg-raised focus-visible:-outline-offset-2'

/** The browser lays out only the rows in view, which is most of the time that a keystroke takes. */
const rowBoxClass = '[contain-intrinsic-size:auto_var(--row)] [content-visibility:auto]'

/** More than anyone reads; for the rest only the number is shown. */
const maxRepos = 100
/** Rows that a keystroke waits for; the others follow. */
const firstRepos = 20

interface ResultProps {
  href: string
  name: string
  where: string
  /** Of a repository that has one, the newest. */
  build?: Build | undefined
  active?: boolean
  /** Replaces the status. */
  icon?: ReactNode
}

export function Result({ href, name, where, build, active = true, icon }: ResultProps) {
  const status = active ? build && shownStatus(build) : 'inactive'
  const reason = active && build ? reasonOf(build) : undefined
  return (
    <li className={rowBoxClass}>
      {/* Replaces the drawer's history entry: Back returns to where the search was opened. */}
      <Link href={href} replace className={rowClass}>
        {icon ?? (status ? <StatusIcon status={status} /> : <span className="size-4 shrink-0" />)}
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

export function ActionResult({ label, where, href }: FoundAction) {
  const icon = <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
  return <Result href={href} name={label} where={where} icon={icon} />
}

const themeLabels: Record<Theme, string> = {
  light: 'Use the light theme',
  dark: 'Use the dark theme',
  system: 'Use the theme of the system',
}

const themeIcons: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor }

function ThemeResult({ theme }: { theme: Theme }) {
  const Icon = themeIcons[theme]
  return (
    <li>
      <button type="button" className={rowClass} onClick={() => setTheme(theme)}>
        <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <span className="font-medium">{themeLabels[theme]}</span>
      </button>
    </li>
  )
}

type BuildKind = 'Branches' | 'Pull requests' | 'Builds'

const nameOf = (build: Build, kind: BuildKind): string => {
  if (kind === 'Branches') return build.target
  return `#${kind === 'Builds' ? build.number : pullNumber(build.ref)} ${buildTitle(build) || 'No message'}`
}

/** Of a branch its newest build that is known, as on the page of branches. */
function BuildResult({ hit, kind, query }: { hit: KnownBuild; kind: BuildKind; query: string }) {
  const { namespace, name, build } = hit
  return (
    <Result
      href={paths.build(namespace, name, build.number)}
      build={build}
      active
      name={nameOf(build, kind)}
      where={`Found "${query}" in ${kind} of ${namespace}/${name}`}
    />
  )
}

interface LaterReposProps {
  found: readonly Repo[]
  query: string
}

const LaterRows = memo(function LaterRows({ found, query }: LaterReposProps) {
  return found.slice(firstRepos, maxRepos).map((repo) => <RepoResult key={repo.slug} repo={repo} query={query} />)
})

const none: readonly Repo[] = []

/**
 * The rows that follow once the ones above are shown: empty at first, then those of the previous
 * query, because removing and creating eighty rows would take a quarter of a keystroke's time.
 */
function LaterRepos({ found, query }: LaterReposProps) {
  const shown = useDeferredValue(found, none)
  const shownQuery = useDeferredValue(query, '')
  return found.length > firstRepos && <LaterRows found={shown} query={shownQuery} />
}

export const hint = 'px-3 py-8 text-center text-muted'

export interface SearchResultsProps {
  query: string
  found: readonly Repo[]
  actions: readonly FoundAction[]
  loaded: LoadedHits & { pulls: readonly KnownBuild[] }
  /** The server is still searching for builds. */
  isPending: boolean
  note: string | undefined
}

export function SearchResults({ query, found, actions, loaded, isPending, note }: SearchResultsProps) {
  const { branches, pulls, builds } = loaded
  const foundThemes = themes.filter((theme) => matchesLabel(themeLabels[theme], query))
  const isEmpty =
    found.length + actions.length + foundThemes.length + branches.length + pulls.length + builds.length === 0
  return (
    <>
      {isEmpty && <p className={hint}>{isPending ? 'Searching builds…' : 'Repos not found'}</p>}
      <ul>
        {found.slice(0, firstRepos).map((repo) => (
          <RepoResult key={repo.slug} repo={repo} query={query} />
        ))}
        <LaterRepos found={found} query={query} />
        {actions.map((action) => (
          <ActionResult key={action.label} {...action} />
        ))}
        {foundThemes.map((theme) => (
          <ThemeResult key={theme} theme={theme} />
        ))}
        {branches.map((hit) => (
          <BuildResult
            key={`${hit.namespace}/${hit.name} ${hit.build.target}`}
            hit={hit}
            kind="Branches"
            query={query}
          />
        ))}
        {pulls.map((hit) => (
          <BuildResult
            key={`${hit.namespace}/${hit.name} ${hit.build.ref}`}
            hit={hit}
            kind="Pull requests"
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
