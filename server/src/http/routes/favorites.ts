/**
 * The favorites of the own account. Extra routes, which Drone does not have; `GET /api/user` lists
 * them.
 */
import { Refusal } from '../../lib/refusal.ts'
import { addFavorite, deleteFavorite } from '../../store/favorites.ts'
import { repoOf, userOf, type Handler, type HttpDependencies } from '../context.ts'
import { noContent } from '../responses.ts'

/** They are a part of each answer of `GET /api/user`. */
const maxFavorites = 200

export function favoritesRoutes({ store: { db } }: Pick<HttpDependencies, 'store'>) {
  return {
    'PUT /api/user/favorites/:owner/:name': async (c) => {
      const isAdded = await addFavorite(db, userOf(c).id, repoOf(c).id, maxFavorites)
      if (!isAdded) throw new Refusal(400, `You can have at most ${maxFavorites} favorites`)
      return noContent()
    },
    'DELETE /api/user/favorites/:owner/:name': async (c) => {
      await deleteFavorite(db, userOf(c).id, repoOf(c).id)
      return noContent()
    },
  } satisfies Record<string, Handler>
}
