/** Builds of the whole history that match a filter (Flightdeck only). */
import type { Build } from '@flightdeck/api'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { ownClient } from '../../../api/own-client.ts'
import { keyOf } from '../../../api/keys.ts'
import type { Conditions } from '../../filters/index.ts'

/** The maximum number of requests for one page, if matching builds are rare. */
const maxRequests = 25
const minBuilds = 20

export interface FilteredPage {
  builds: Build[]
  next: number | undefined
}

/**
 * Reads until there are enough builds for a page, the history ends or the page is no longer needed.
 * `list` reads the matching builds of the next part of the history.
 */
export async function readPage(
  list: (before: number | undefined) => Promise<{ items: Build[]; next?: number | undefined }>,
  before: number | undefined,
  signal: Pick<AbortSignal, 'aborted'>,
): Promise<FilteredPage> {
  const builds: Build[] = []
  let next = before
  for (let requests = 0; requests < maxRequests && builds.length < minBuilds && !signal.aborted; requests += 1) {
    const answer = await list(next)
    builds.push(...answer.items)
    next = answer.next
    if (next === undefined) break
  }
  return { builds, next }
}

export const filteredBuildsQuery = (namespace: string, name: string, conditions: Conditions) =>
  infiniteQueryOptions({
    queryKey: keyOf('listFilteredBuilds', namespace, name, conditions),
    queryFn: ({ pageParam, signal }) =>
      readPage((before) => ownClient.listFilteredBuilds(namespace, name, { ...conditions, before }), pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })
