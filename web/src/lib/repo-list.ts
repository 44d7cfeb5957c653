import type { Repo } from '@flightdeck/api'

/** A repository without a build counts as oldest (readings, "Dashboard"). */
const created = (repo: Repo): number => repo.build?.created ?? 0

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Specification §9: "active first, then newest build created, then slug". */
export const sortRepos = (repos: readonly Repo[]): Repo[] =>
  repos.toSorted(
    (left, right) =>
      Number(right.active) - Number(left.active) ||
      created(right) - created(left) ||
      compareText(left.slug, right.slug),
  )

/** By a part of the slug; letter case and surrounding space are ignored (readings, "Dashboard"). */
export const filterRepos = (repos: readonly Repo[], filter: string, activeOnly: boolean): readonly Repo[] => {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '' && !activeOnly) return repos
  return repos.filter((repo) => (repo.active || !activeOnly) && repo.slug.toLowerCase().includes(wanted))
}

/** Specification §9: "Recent activity 6": those that have a build, the newest first. */
export const recentRepos = (repos: readonly Repo[], count = 6): Repo[] =>
  repos
    .filter((repo) => repo.build)
    .toSorted((left, right) => created(right) - created(left) || compareText(left.slug, right.slug))
    .slice(0, count)

/**
 * Specification §2, "Search drawer": with a slash, its two sides are parts of namespace and name; without one, a part of
 * the slug. Nothing typed finds nothing.
 */
export const searchRepos = (repos: readonly Repo[], query: string): readonly Repo[] => {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return []
  const slash = wanted.indexOf('/')
  if (slash < 0) return repos.filter((repo) => repo.slug.toLowerCase().includes(wanted))
  const namespace = wanted.slice(0, slash)
  const name = wanted.slice(slash + 1)
  return repos.filter(
    (repo) => repo.namespace.toLowerCase().includes(namespace) && repo.name.toLowerCase().includes(name),
  )
}
