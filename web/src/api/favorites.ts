/** The repositories at the top of the dashboard (Flightdeck only). */
import type { Repo, User } from '@flightdeck/api'

import type { Action } from './action.ts'
import { ownClient } from './own-client.ts'
import { userQuery } from './queries.ts'
import { queryClient } from './query-client.ts'

const withFavorite = (user: User, slug: string, on: boolean): User => {
  const others = (user.favorites ?? []).filter((favorite) => favorite !== slug)
  return { ...user, favorites: on ? [...others, slug].toSorted() : others }
}

/** The input says whether the repository becomes a favorite. */
export const setFavorite = ({
  namespace,
  name,
  slug,
}: Pick<Repo, 'namespace' | 'name' | 'slug'>): Action<boolean, unknown> => ({
  name: 'set',
  subject: `favorite ${slug}`,
  send: (on) => (on ? ownClient.addFavorite(namespace, name) : ownClient.deleteFavorite(namespace, name)),
  updateCache: (_answer, on) => {
    queryClient.setQueryData(userQuery().queryKey, (user) => user && withFavorite(user, slug, on))
  },
  failed: 'Unable to change your favorites',
})
