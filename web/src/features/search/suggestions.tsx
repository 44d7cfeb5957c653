import type { Repo } from '@flightdeck/api'

import { knownBuilds } from '../../api/known-builds.ts'
import type { PageVisit } from '../../browser/page-visits.ts'
import { paths } from '../../lib/paths.ts'
import { buildTitle } from '../../lib/text.ts'
import type { FoundAction } from './actions-in-view.ts'
import { ActionResult, hint, Result } from './search-results.tsx'

const maxVisits = 8
const titleClass = 'px-3 pt-3 pb-1 text-sm text-muted'

interface SuggestionsProps {
  /** The current page's path, which is not suggested. */
  pathname: string
  actions: readonly FoundAction[]
  visits: readonly PageVisit[]
  repos: readonly Repo[]
}

function Recent({ repo, number }: { repo: Repo; number: number | undefined }) {
  const { slug, build: newest, active } = repo
  if (number === undefined)
    return <Result href={hrefOf(repo, number)} name={slug} where="Repository" build={newest} active={active} />
  const known = knownBuilds(repo).findLast(({ build }) => build.number === number)?.build
  const title = known ? buildTitle(known) : ''
  return (
    <Result
      href={hrefOf(repo, number)}
      name={`#${number}${title && ` ${title}`}`}
      where={`Build of ${slug}`}
      build={known}
    />
  )
}

const hrefOf = ({ namespace, name }: Repo, number: number | undefined): string =>
  number === undefined ? paths.repo(namespace, name) : paths.build(namespace, name, number)

const isWithin = (pathname: string, href: string): boolean => `${pathname}/`.startsWith(`${href}/`)

/** Shown while the search field is empty: recent pages, and the actions on the current page. */
export function Suggestions({ pathname, actions, visits, repos }: SuggestionsProps) {
  const recent = visits
    .flatMap(({ namespace, name, number }) => {
      // Only repositories that the user can see: the visits may be another user's.
      const repo = repos.find((candidate) => candidate.namespace === namespace && candidate.name === name)
      return repo && !isWithin(pathname, hrefOf(repo, number)) ? [{ repo, number }] : []
    })
    .slice(0, maxVisits)
  return (
    <>
      <p className={recent.length + actions.length === 0 ? hint : 'px-3 pt-2 text-sm text-muted'}>
        Type part of a name, or namespace/name.
      </p>
      {recent.length > 0 && (
        <section aria-labelledby="recent-visits">
          <h2 id="recent-visits" className={titleClass}>
            Recent
          </h2>
          <ul>
            {recent.map(({ repo, number }) => (
              <Recent key={`${repo.slug} ${number ?? ''}`} repo={repo} number={number} />
            ))}
          </ul>
        </section>
      )}
      {actions.length > 0 && (
        <section aria-labelledby="actions-here">
          <h2 id="actions-here" className={titleClass}>
            Actions
          </h2>
          <ul>
            {actions.map((action) => (
              <ActionResult key={action.label} {...action} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
