import type { Repo } from '@flightdeck/api'
import type { QueryClient } from '@tanstack/react-query'

import type { Key } from './keys.ts'
import { reposQuery, queryOf } from './queries.ts'

/**
 * A read that is under way was sent before the server knew of it, and its answer may be what was: that learns it, too. The
 * read is not cancelled, for it may be the first one, or the only one that tells of the rest.
 */
const learn = <Data>(queryClient: QueryClient, queryKey: Key, change: (known: Data) => Data): void => {
  const put = () => void queryClient.setQueryData<Data>(queryKey, (known) => known && change(known))
  put()
  // A read that fails, or makes way for a later one, has nothing old to tell.
  queryClient
    .getQueryCache()
    .find({ queryKey })
    ?.promise?.then(put, () => undefined)
}

/**
 * Puts what an answer said about a repository into every cache that holds it. Answers to enable, disable and PATCH have
 * neither permissions nor build (docs/api §1.15): what is known of those stays.
 */
export const rememberRepo = (
  queryClient: QueryClient,
  { namespace, name }: Pick<Repo, 'namespace' | 'name'>,
  changes: Partial<Repo>,
): void => {
  const merge = (known: Repo): Repo => {
    const merged = { ...known, ...changes }
    if (known.permissions) merged.permissions = known.permissions
    if (known.build) merged.build = known.build
    return merged
  }
  learn(queryClient, queryOf('getRepo', namespace, name).queryKey, merge)
  learn(queryClient, reposQuery().queryKey, (list: Repo[]) =>
    list.map((repo) => (repo.namespace === namespace && repo.name === name ? merge(repo) : repo)),
  )
}
