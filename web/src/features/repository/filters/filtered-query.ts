/** Builds of the whole history that match a filter, from our own server. */
import type { Build } from '@flightdeck/api'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { ownClient } from '../../../api/own-client.ts'
import { keyOf } from '../../../api/keys.ts'
import type { Conditions } from '../../filters/index.ts'

/** Most requests for one page, where matching builds are far apart. */
const maxRequests = 25
const minBuilds = 20

export interface FilteredPage {
  builds: Build[]
  next: number | undefined
}

export const filteredBuildsQuery = (namespace: string, name: string, conditions: Conditions) =>
  infiniteQueryOptions({
    queryKey: keyOf('listFilteredBuilds', namespace, name, conditions),
    queryFn: async ({ pageParam, signal }): Promise<FilteredPage> => {
      const builds: Build[] = []
      let next: number | undefined = pageParam
      for (let requests = 0; requests < maxRequests && builds.length < minBuilds && !signal.aborted; requests += 1) {
        const answer = await ownClient.listFilteredBuilds(namespace, name, { ...conditions, before: next })
        builds.push(...answer.items)
        next = answer.next
        if (next === undefined) break
      }
      return { builds, next }
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })
