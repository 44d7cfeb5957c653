/** Query keys: the endpoint and its parameters. */
import type { client } from './client.ts'
import type { ownClient } from './own-client.ts'

type Client = typeof client
type OwnClient = typeof ownClient
type Reading<C> = Extract<keyof C, `get${string}` | `list${string}` | `find${string}` | 'search' | 'createToken'>
/** Calls that read. Calls that change something are actions. */
export type Endpoint = Reading<Client>
/** Flightdeck only. */
export type OwnEndpoint = Reading<OwnClient>

/** A paginated list is one cache entry, so the page number is not part of its key. */
type Paged = {
  listBuilds: [namespace: string, name: string]
  listBranchBuilds: [namespace: string, name: string, branch: string]
  /** Many repositories are read in one request, and each has its own cache entry. */
  listLastBuilds: [namespace: string, name: string]
}

export type Reads = { [E in Endpoint]: E extends keyof Paged ? Paged[E] : Parameters<Client[E]> } & {
  [E in OwnEndpoint]: E extends keyof Paged ? Paged[E] : Parameters<OwnClient[E]>
}
export type Key<E extends Endpoint | OwnEndpoint = Endpoint | OwnEndpoint> = readonly [E, ...Reads[E]]

/** The only way to make a query key: `keyOf('listSecrets', namespace, name)`. */
export const keyOf = <E extends Endpoint | OwnEndpoint>(endpoint: E, ...parameters: Reads[E]): Key<E> => [
  endpoint,
  ...parameters,
]
