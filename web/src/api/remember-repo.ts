import type { Repo } from '@flightdeck/api'
import type { QueryClient } from '@tanstack/react-query'

import type { Key } from './keys.ts'
import { reposQuery, queryOf } from './queries.ts'

/**
 * A query in flight may have been sent before the change, so its response may be outdated: the
 * change is applied to it as well. The query is not canceled, since it may be the first one, or the
 * only source of the other fields.
 */
const updateQuery = <Data>(queryClient: QueryClient, queryKey: Key, change: (known: Data) => Data): void => {
  const put = () => void queryClient.setQueryData<Data>(queryKey, (known) => known && change(known))
  put()
  // A query that fails, or is replaced by a later one, has no outdated data.
  queryClient
    .getQueryCache()
    .find({ queryKey })
    ?.promise?.then(put, () => undefined)
}

/**
 * Merges the response of an action on a repository into every cache that contains it. The responses
 * to enable, disable and PATCH have neither permissions nor build (docs/api §1.15): the cached ones
 * are kept.
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
  updateQuery(queryClient, queryOf('getRepo', namespace, name).queryKey, merge)
  updateQuery(queryClient, reposQuery().queryKey, (list: Repo[]) =>
    list.map((repo) => (repo.namespace === namespace && repo.name === name ? merge(repo) : repo)),
  )
}
