/**
 * Flightdeck-only calls. Separate from the client, so that they load with the pages that use them.
 */
import { createOwnClient } from '@flightdeck/api/own-client'
import { queryOptions } from '@tanstack/react-query'

import { clientOptions } from './client.ts'
import { keyOf, type OwnEndpoint, type Reads } from './keys.ts'

export const ownClient = createOwnClient(clientOptions)

type Answer<E extends OwnEndpoint> = Awaited<ReturnType<(typeof ownClient)[E]>>

/** The query of a read, by the name of its endpoint: `ownQueryOf('getRunners')`. */
export const ownQueryOf = <E extends Exclude<OwnEndpoint, 'listLastBuilds'>>(endpoint: E, ...parameters: Reads[E]) => {
  const call = ownClient[endpoint] as unknown as (...given: Reads[E]) => Promise<Answer<E>>
  return queryOptions({ queryKey: keyOf(endpoint, ...parameters), queryFn: () => call(...parameters) })
}

/** The same for responses that never change, such as data about earlier builds. */
export const fixedQueryOf = <E extends Exclude<OwnEndpoint, 'listLastBuilds'>>(
  endpoint: E,
  ...parameters: Reads[E]
) => ({
  ...ownQueryOf(endpoint, ...parameters),
  staleTime: Infinity,
})
