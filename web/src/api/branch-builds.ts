/** The newer and older build of the same branch. */
import type { Build } from '@flightdeck/api'
import { buildsPerPage } from '@flightdeck/api/client'

import { client } from './client.ts'

type ReadPage = (page: number) => Promise<readonly Build[]>

/** The maximum number of pages to read. Reading more to find a neighbor is not worth it. */
const maxReads = 8

/**
 * The branch or pull request of a build. A pull request has the same target branch as others, so
 * its ref decides.
 */
export const lineOf = ({ event, ref, target }: Build): string => (event === 'pull_request' ? ref : target)

/**
 * The nearest newer (1) or older (-1) build of the same branch or pull request, read page by page,
 * newest first. Starts at the page that contains this build if no number is missing.
 */
export const nearestOf = async (readPage: ReadPage, build: Build, way: 1 | -1): Promise<number | undefined> => {
  const line = lineOf(build)
  const isWanted = (candidate: Build): boolean =>
    (candidate.number - build.number) * way > 0 && lineOf(candidate) === line
  const [newest] = await readPage(1)
  let page = 1 + Math.max(0, Math.floor(((newest?.number ?? 0) - build.number) / buildsPerPage))
  let isPlaced = page === 1
  for (let reads = 0; reads < maxReads && page > 0; reads += 1) {
    const builds = await readPage(page)
    // Some numbers are missing: the build is on an earlier page than calculated.
    isPlaced ||= page === 1 || (builds[0]?.number ?? 0) >= build.number
    const found = isPlaced || way > 0 ? builds.filter(isWanted).map(({ number }) => number) : []
    if (found.length > 0) return way > 0 ? Math.min(...found) : Math.max(...found)
    if (isPlaced && way < 0 && builds.length < buildsPerPage) return undefined
    page += isPlaced && way < 0 ? 1 : -1
  }
  return undefined
}

export const findOnBranch = (namespace: string, name: string, build: Build, way: 1 | -1) => {
  const pages = new Map<number, Promise<readonly Build[]>>()
  const readPage = (page: number): Promise<readonly Build[]> => {
    const read = pages.get(page) ?? client.listBuilds(namespace, name, { page, per_page: buildsPerPage })
    pages.set(page, read)
    return read
  }
  return nearestOf(readPage, build, way)
}
