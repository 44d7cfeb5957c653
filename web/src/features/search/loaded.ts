/**
 * Branches and builds from the cache: lists, cards, visited pages. These results are immediate; Flightdeck's own server
 * adds the builds
 * that it finds.
 */
import type { Build } from '@flightdeck/api'

import type { KnownBuild } from '../../api/known-builds.ts'
import { buildTitle } from '../../lib/text.ts'

export interface LoadedHits {
  /** The newest build of each branch. */
  branches: KnownBuild[]
  builds: KnownBuild[]
}

/** A single letter is in nearly every branch; it is for the list of repositories. */
const minLength = 2
/** Of each kind. */
const maxResults = 20

/** Part of a hash: three letters of it are words, too. */
const isHash = /^[0-9a-f]{4,40}$/

/** A long list has the beginnings of hashes only (api/src/repo-columns.ts). */
const isHashOf = (hash: string, query: string): boolean =>
  hash.startsWith(query) || (hash.length === 8 && query.startsWith(hash))

const matchesBuild = (build: Build, query: string): boolean =>
  /^#?\d+$/.test(query) && String(build.number) === query.replace('#', '')
    ? true
    : query.length >= minLength &&
      (buildTitle(build).toLowerCase().includes(query) || (isHash.test(query) && isHashOf(build.after ?? '', query)))

const keyOf = ({ namespace, name }: KnownBuild, rest: string | number): string => `${namespace}/${name} ${rest}`

/** `loaded`: each build once or more often; of those with the same number the last one counts. */
export const searchLoaded = (loaded: readonly KnownBuild[], text: string): LoadedHits => {
  const query = text.trim().toLowerCase()
  if (query === '') return { branches: [], builds: [] }
  const byNumber = new Map(loaded.map((one) => [keyOf(one, one.build.number), one]))
  const newestFirst = [...byNumber.values()].toSorted((a, b) => b.build.created - a.build.created)
  const byBranch = new Map<string, KnownBuild>()
  for (const one of newestFirst) {
    const target = one.build.target || ''
    const key = keyOf(one, target)
    if (query.length >= minLength && target.toLowerCase().includes(query) && !byBranch.has(key)) byBranch.set(key, one)
  }
  return {
    branches: [...byBranch.values()].slice(0, maxResults),
    builds: newestFirst.filter(({ build }) => matchesBuild(build, query)).slice(0, maxResults),
  }
}

/** What the server found, in its order, and behind it what only the browser knows of. */
export const withFound = (loaded: readonly KnownBuild[], found: readonly KnownBuild[]): KnownBuild[] => {
  const known = new Set(found.map((one) => keyOf(one, one.build.number)))
  return [...found, ...loaded.filter((one) => !known.has(keyOf(one, one.build.number)))]
}
