/** How what a call has read is named in the cache: by the endpoint, and what the call was given. */
import type { client } from './client.ts'
import type { ownClient } from './own-client.ts'

type Client = typeof client
type OwnClient = typeof ownClient
type Reading<C> = Extract<keyof C, `get${string}` | `list${string}` | `find${string}` | 'search' | 'createToken'>
/** Calls that read. What changes something is an action. */
export type Endpoint = Reading<Client>
/** Those that only our own server has. */
export type OwnEndpoint = Reading<OwnClient>

/** A paginated list is one cache entry, so the page number is not part of its key. */
type Paged = {
  listBuilds: [namespace: string, name: string]
  listBranchBuilds: [namespace: string, name: string, branch: string]
  /** Many repositories are read together, and each is an entry of its own. */
  listLastBuilds: [namespace: string, name: string]
}

export type Reads = { [E in Endpoint]: E extends keyof Paged ? Paged[E] : Parameters<Client[E]> } & {
  [E in OwnEndpoint]: E extends keyof Paged ? Paged[E] : Parameters<OwnClient[E]>
}
export type Key<E extends Endpoint | OwnEndpoint = Endpoint | OwnEndpoint> = readonly [E, ...Reads[E]]

/** The one way to name what a call has read: `keyOf('listSecrets', namespace, name)`. */
export const keyOf = <E extends Endpoint | OwnEndpoint>(endpoint: E, ...parameters: Reads[E]): Key<E> => [
  endpoint,
  ...parameters,
]
