import type { Repo } from '@flightdeck/api'

/**
 * Specification §2, "Search drawer": with a slash, its two sides are parts of namespace and name;
 * without one, a part of the slug. An empty text finds nothing.
 */
export const searchRepos = (repos: readonly Repo[], query: string): readonly Repo[] => {
  const search = query.trim().toLowerCase()
  if (search === '') return []
  if (!search.includes('/')) return repos.filter((repo) => repo.slug.toLowerCase().includes(search))
  // A namespace can contain slashes: any of them, or none, can be the one between the two sides.
  const sides = [...search.matchAll(/\//g)].map(
    ({ index }) => [search.slice(0, index), search.slice(index + 1)] as const,
  )
  return repos.filter(
    (repo) =>
      repo.slug.toLowerCase().includes(search) ||
      sides.some(
        ([namespace, name]) =>
          repo.namespace.toLowerCase().includes(namespace) && repo.name.toLowerCase().includes(name),
      ),
  )
}

/** The length of the shortest part of a text that contains all letters of a query in order. */
const spanOf = (text: string, query: string): number => {
  let span = Infinity
  for (let start = text.indexOf(query.charAt(0)); start >= 0; start = text.indexOf(query.charAt(0), start + 1)) {
    let at = start
    for (let letter = 1; letter < query.length && at >= 0; letter++) at = text.indexOf(query.charAt(letter), at + 1)
    if (at < 0) break
    span = Math.min(span, at - start + 1)
  }
  return span
}

/** Shorter queries match too many names. */
const minFuzzyLength = 3
/**
 * The maximum length of a match, as a multiple of the query's length; longer matches are
 * coincidental.
 */
const maxStretch = 3

/**
 * The fallback when `searchRepos` finds nothing: matches letters in order, such as `ctlg` for
 * `catalog`; closest match first.
 */
export const searchReposFuzzily = (repos: readonly Repo[], query: string): readonly Repo[] => {
  const letters = query.replaceAll(/\s/g, '').toLowerCase()
  if (letters.length < minFuzzyLength) return []
  return repos
    .map((repo) => ({ repo, span: spanOf(repo.slug.toLowerCase(), letters) }))
    .filter(({ span }) => span <= letters.length * maxStretch)
    .toSorted((a, b) => a.span - b.span)
    .map(({ repo }) => repo)
}

/** Moves recently opened repositories to the front. `opened`: slugs, the most recent first. */
export const openedFirst = (found: readonly Repo[], opened: readonly string[]): readonly Repo[] => {
  const ranks = new Map(opened.map((slug, index) => [slug, index]))
  const rankOf = ({ slug }: Repo): number => ranks.get(slug) ?? opened.length
  return opened.length === 0 ? found : found.toSorted((a, b) => rankOf(a) - rankOf(b))
}
