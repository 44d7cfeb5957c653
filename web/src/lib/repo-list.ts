import { binarySearch } from './binary-search.ts'
import type { Repo } from '@flightdeck/api'

/** A repository without a build counts as oldest (readings, "Dashboard"). */
const created = (repo: Repo): number => repo.build?.created ?? 0

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const compare = (left: Repo, right: Repo): number =>
  Number(right.active) - Number(left.active) || created(right) - created(left) || compareText(left.slug, right.slug)

/** The index of an item in a sorted list, or where to insert it. */
const placeOf = (sorted: readonly Repo[], repo: Repo): number =>
  binarySearch(sorted.length, (index) => {
    const other = sorted[index]
    return !other || compare(other, repo) >= 0
  })

/** With more changes than this, the list is sorted from scratch. */
const maxMoves = 200

/**
 * The sorted list with the changed objects moved to their positions; undefined if a complete sort
 * is faster.
 */
const moved = (before: readonly Repo[], sorted: readonly Repo[], repos: readonly Repo[]): Repo[] | undefined => {
  if (before.length !== repos.length) return undefined
  const changed: number[] = []
  for (let index = 0; index < repos.length; index++)
    if (repos[index] !== before[index] && changed.push(index) > maxMoves) return undefined
  const result = [...sorted]
  for (const index of changed) {
    const old = before[index]
    const at = old ? placeOf(result, old) : -1
    if (result[at] !== old) return undefined
    result.splice(at, 1)
  }
  for (const index of changed) {
    const now = repos[index]
    if (now) result.splice(placeOf(result, now), 0, now)
  }
  return result
}

let lastSorted: { repos: readonly Repo[]; sorted: Repo[] } | undefined

/**
 * Specification §9: "active first, then newest build created, then slug". Caches the last list: one
 * event changes one of thousands of repositories, and sorting all of them again would take longer
 * than a frame on a slow machine.
 */
export const sortRepos = (repos: readonly Repo[]): readonly Repo[] => {
  if (lastSorted?.repos === repos) return lastSorted.sorted
  const sorted = (lastSorted && moved(lastSorted.repos, lastSorted.sorted, repos)) ?? repos.toSorted(compare)
  lastSorted = { repos, sorted }
  return sorted
}

/** The orders of the dashboard's list. The first is the specification's. */
export const sorts = ['activity', 'name', 'status'] as const
export type Sort = (typeof sorts)[number]

/** Favorites first; the same list if there are none. */
export const favoritesFirst = (repos: readonly Repo[], favorites: readonly string[] = []): readonly Repo[] => {
  if (favorites.length === 0) return repos
  const first = new Set(favorites)
  return repos.toSorted((left, right) => Number(first.has(right.slug)) - Number(first.has(left.slug)))
}

const lowerSlugs = new WeakMap<Repo, string>()
const lowerSlug = (repo: Repo): string => {
  let slug = lowerSlugs.get(repo)
  if (slug === undefined) lowerSlugs.set(repo, (slug = repo.slug.toLowerCase()))
  return slug
}

let lastLowered: { repos: readonly Repo[]; slugs: readonly string[] } | undefined

/**
 * The lowercase slugs of a list, cached together: a lookup per repository would take longer than
 * the search.
 */
const lowerSlugsOf = (repos: readonly Repo[]): readonly string[] => {
  if (lastLowered?.repos !== repos) lastLowered = { repos, slugs: repos.map(lowerSlug) }
  return lastLowered.slugs
}

/**
 * Filters by a part of the slug; letter case and surrounding spaces are ignored (readings,
 * "Dashboard").
 */
export const filterRepos = (repos: readonly Repo[], filter: string, activeOnly: boolean): readonly Repo[] => {
  const search = filter.trim().toLowerCase()
  if (search === '' && !activeOnly) return repos
  const slugs = lowerSlugsOf(repos)
  return repos.filter((repo, at) => (repo.active || !activeOnly) && slugs[at]?.includes(search))
}

/** The index of the first inactive repository in a sorted list. */
const inactiveFrom = (sorted: readonly Repo[]): number => binarySearch(sorted.length, (index) => !sorted[index]?.active)

/**
 * Specification §9: "Recent activity 6": repositories with a build, newest first, active or not.
 * Requires a list sorted by `sortRepos`: they are at the start of its two halves, so only a few
 * items are read.
 */
export const recentRepos = (sorted: readonly Repo[], count = 6): Repo[] => {
  const asleep = inactiveFrom(sorted)
  return [...sorted.slice(0, Math.min(count, asleep)), ...sorted.slice(asleep, asleep + count)]
    .filter(({ build }) => build)
    .toSorted((left, right) => created(right) - created(left) || compareText(left.slug, right.slug))
    .slice(0, count)
}
