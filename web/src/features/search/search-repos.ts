import type { Repo } from '@flightdeck/api'

/**
 * Specification §2, "Search drawer": with a slash, its two sides are parts of namespace and name; without one, a part of the slug.
 * An empty text finds nothing.
 */
export const searchRepos = (repos: readonly Repo[], query: string): readonly Repo[] => {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return []
  if (!wanted.includes('/')) return repos.filter((repo) => repo.slug.toLowerCase().includes(wanted))
  // A namespace can contain slashes: any of them, or none, can be the one between the two sides.
  const sides = [...wanted.matchAll(/\//g)].map(
    ({ index }) => [wanted.slice(0, index), wanted.slice(index + 1)] as const,
  )
  return repos.filter(
    (repo) =>
      repo.slug.toLowerCase().includes(wanted) ||
      sides.some(
        ([namespace, name]) =>
          repo.namespace.toLowerCase().includes(namespace) && repo.name.toLowerCase().includes(name),
      ),
  )
}
