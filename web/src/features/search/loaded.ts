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

const matchesBuild = (build: Build, query: string): boolean =>
  /^#?\d+$/.test(query) && [String(build.number), pullOf(build)].includes(query.replace('#', ''))
    ? true
    : query.length >= minLength &&
      (buildTitle(build).toLowerCase().includes(query) || (isHash.test(query) && isHashOf(build.after ?? '', query)))

const keyOf = ({ namespace, name }: KnownBuild, rest: string | number): string => `${namespace}/${name} ${rest}`

/** `loaded` can have a build several times; the last copy of each number counts. */
export const searchLoaded = (loaded: readonly KnownBuild[], text: string): LoadedHits => {
  const query = text.trim().toLowerCase()
  if (query === '') return { branches: [], builds: [] }
  const byNumber = new Map(loaded.map((item) => [keyOf(item, item.build.number), item]))
  const newestFirst = [...byNumber.values()].toSorted((a, b) => b.build.created - a.build.created)
  const byBranch = new Map<string, KnownBuild>()
  for (const item of newestFirst) {
    const target = item.build.target || ''
    const key = keyOf(item, target)
    if (query.length >= minLength && target.toLowerCase().includes(query) && !byBranch.has(key)) byBranch.set(key, item)
  }
  return {
    branches: [...byBranch.values()].slice(0, maxResults),
    builds: newestFirst.filter(({ build }) => matchesBuild(build, query)).slice(0, maxResults),
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
