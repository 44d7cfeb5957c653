import type { Repo } from '@flightdeck/api'
import type { QueryClient } from '@tanstack/react-query'

import { reposQuery, queryOf } from './queries.ts'

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
  queryClient.setQueryData(queryOf('getRepo', namespace, name).queryKey, (known) => known && merge(known))
  queryClient.setQueryData(reposQuery().queryKey, (list) =>
    list?.map((repo) => (repo.namespace === namespace && repo.name === name ? merge(repo) : repo)),
  )
}
