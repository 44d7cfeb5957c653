/**
 * The last successful build before a given one, and the builds since then, read from the build
 * lists that every Drone server has. Drone has no endpoint for the commits between two builds.
 */
import type { Build, ChangedBy } from '@flightdeck/api'
import { buildsPerPage } from '@flightdeck/api/client'

import { buildTitle } from '../../../lib/text.ts'

/** The fields of a build that lists contain. */
export type Listed = Pick<
  Build,
  'number' | 'status' | 'ref' | 'after' | 'title' | 'message' | 'author_name' | 'author_login' | 'created'
>

/** The maximum number of pages to read of each of the two branches. */
const maxPages = 3

export interface BuiltSince {
  lastSuccess: Listed
  /** Newest first, each with its first build. */
  commits: (ChangedBy & { build: number })[]
}

export type ReadPage = (branch: string, page: number) => Promise<readonly Listed[]>

const branchOf = (ref: string | undefined): string | undefined => /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1]

const commitsOf = (builds: readonly Listed[], lastSuccess: Listed, failed: Listed): BuiltSince['commits'] => {
  const bySha = new Map<string, Listed>()
  const between = builds.filter(({ number }) => number > lastSuccess.number && number < failed.number)
  // Newest first, so that each commit ends up with its first build.
  for (const build of [failed, ...between])
    if (build.after && build.after !== lastSuccess.after) bySha.set(build.after, build)
  return [...bySha.values()].map((build) => ({
    sha: build.after,
    title: buildTitle(build) || build.after.slice(0, 8),
    author: build.author_name || build.author_login || '',
    time: build.created || 0,
    files: [],
    build: build.number,
  }))
}

/**
 * On the build's branch, else on the default branch; `undefined` if none of their newer builds was
 * successful.
 */
export const builtSince = async (
  readPage: ReadPage,
  failed: Listed,
  defaultBranch: string | undefined,
): Promise<BuiltSince | undefined> => {
  for (const branch of new Set([branchOf(failed.ref), defaultBranch])) {
    if (!branch) continue
    const seen: Listed[] = []
    for (let page = 1; page <= maxPages; page += 1) {
      const builds = await readPage(branch, page)
      seen.push(...builds.filter(({ number }) => number < failed.number))
      const lastSuccess = seen.find(({ status }) => status === 'success')
      if (lastSuccess) return { lastSuccess, commits: commitsOf(seen, lastSuccess, failed) }
      if (builds.length < buildsPerPage) break
    }
  }
  return undefined
}
