/** Builds of the whole history that meet a filter, from our own server. */
import type { Build, FilteredBuilds } from '@flightdeck/api'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import { read } from './own.ts'

const isAnswer = ({ items, next }: Record<string, unknown>): boolean =>
  Array.isArray(items) && (next === undefined || typeof next === 'number')

/** Requests that one page takes at most where builds that meet the filter are far apart. */
const maxRequests = 10
const enough = 20

export interface FilteredPage {
  builds: Build[]
  next: number | undefined
}

/** `params`: as the address has them. */
export const filteredBuildsQuery = (namespace: string, name: string, params: Readonly<Record<string, string>>) =>
  infiniteQueryOptions({
    queryKey: ['filtered builds', namespace, name, params],
    queryFn: async ({ pageParam, signal }): Promise<FilteredPage> => {
      const builds: Build[] = []
      let next: number | undefined = pageParam
      for (let requests = 0; requests < maxRequests && builds.length < enough && !signal.aborted; requests += 1) {
        const query = new URLSearchParams({ ...params, ...(next !== undefined && { before: String(next) }) })
        const answer: FilteredBuilds = await read(
          `/api/repos${paths.repo(namespace, name)}/builds/filter?${query.toString()}`,
          isAnswer,
        )
        builds.push(...answer.items)
        next = answer.next
        if (next === undefined) break
      }
      return { builds, next }
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })
