/**
 * Branches and builds from the cache: lists, cards, visited pages. These results are immediate;
 * Flightdeck's own server adds the builds that it finds.
 */
import { pullNumber, type Build } from '@flightdeck/api'

import type { KnownBuild } from '../../api/known-builds.ts'
import { buildTitle } from '../../lib/text.ts'

export interface LoadedHits {
  /** The newest build of each branch. */
  branches: KnownBuild[]
  builds: KnownBuild[]
}

/** A single letter is in nearly every branch, so it only searches repositories. */
const minLength = 2
/** The maximum number of results of each kind. */
const maxResults = 20

/** A part of a hash, with at least four characters: three can be a word. */
const isHash = /^[0-9a-f]{4,40}$/

/** A long list only has the start of each hash (api/src/repo-columns.ts). */
const isHashOf = (hash: string, query: string): boolean =>
  hash.startsWith(query) || (hash.length === 8 && query.startsWith(hash))

const pullOf = ({ event, ref }: Build): string => (event === 'pull_request' ? pullNumber(ref) : '')

const keyOf = ({ namespace, name }: KnownBuild, rest: string | number): string => `${namespace}/${name} ${rest}`

/** A build with the texts by which it is found, in lower case. */
interface IndexedBuild {
  item: KnownBuild
  branch: string
  title: string
}

/** Newest first. `loaded` can have a build several times, the most complete copy last. */
export const indexLoaded = (loaded: readonly KnownBuild[]): IndexedBuild[] =>
  loaded
    .toReversed()
    .toSorted((a, b) => b.build.created - a.build.created)
    .map((item) => ({
      item,
      branch: (item.build.target || '').toLowerCase(),
      title: buildTitle(item.build).toLowerCase(),
    }))

/** The first match of each key, up to the maximum number of results. */
const firstMatches = (
  index: readonly IndexedBuild[],
  matches: (indexed: IndexedBuild) => boolean,
  keyFor: (build: Build) => string | number,
): KnownBuild[] => {
  const found = new Map<string, KnownBuild>()
  for (const indexed of index) {
    if (!matches(indexed)) continue
    const { item } = indexed
    const key = keyOf(item, keyFor(item.build))
    if (!found.has(key)) found.set(key, item)
    if (found.size === maxResults) break
  }
  return [...found.values()]
}

export const searchLoaded = (index: readonly IndexedBuild[], text: string): LoadedHits => {
  const query = text.trim().toLowerCase()
  if (query === '') return { branches: [], builds: [] }
  const isWord = query.length >= minLength
  const number = /^#?(\d+)$/.exec(query)?.[1]
  return {
    branches: isWord
      ? firstMatches(
          index,
          ({ branch }) => branch.includes(query),
          ({ target }) => target || '',
        )
      : [],
    builds: firstMatches(
      index,
      ({ item: { build }, title }) =>
        (number !== undefined && [String(build.number), pullOf(build)].includes(number)) ||
        (isWord && (title.includes(query) || (isHash.test(query) && isHashOf(build.after ?? '', query)))),
      (build) => build.number,
    ),
  }
}

/** The server's results, in its order, then those that only the browser has. */
export const withFound = (loaded: readonly KnownBuild[], found: readonly KnownBuild[]): KnownBuild[] => {
  const known = new Set(found.map((item) => keyOf(item, item.build.number)))
  return [...found, ...loaded.filter((item) => !known.has(keyOf(item, item.build.number)))]
}

/**
 * Splits the found builds into the newest of each pull request, and those without a pull request.
 */
export const splitPulls = (found: readonly KnownBuild[]): { pulls: KnownBuild[]; builds: KnownBuild[] } => {
  const pulls = new Map<string, KnownBuild>()
  const builds = found.filter((item) => {
    const pull = pullOf(item.build)
    if (pull === '') return true
    const key = keyOf(item, pull)
    const other = pulls.get(key)
    if (!other || other.build.number < item.build.number) pulls.set(key, item)
    return false
  })
  return { pulls: [...pulls.values()], builds }
}
