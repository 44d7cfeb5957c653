/** The repositories that a user pinned to the top of the dashboard. */
import type { User } from '@flightdeck/api'
import type { Db } from './open.ts'

/**
 * Slugs in order. Repositories that the user cannot read any more are omitted until the permission
 * is back.
 */
export const listFavorites = async (db: Db, { id, admin }: Pick<User, 'id' | 'admin'>): Promise<string[]> => {
  const rows = await db
    .selectFrom('favorites')
    .innerJoin('repos', 'repo_id', 'favorite_repo_id')
    .select('repo_slug')
    .where('favorite_user_id', '=', id)
    .$if(!admin, (query) =>
      query.where('favorite_repo_id', 'in', (eb) =>
        eb.selectFrom('perms').select('perm_repo_id').where('perm_user_id', '=', id).where('perm_read', '=', 1),
      ),
    )
    .orderBy('repo_slug')
    .execute()
  return rows.map((row) => row.repo_slug)
}

/**
 * Does nothing if the repository is a favorite already. Returns false if there are already `max`
 * others.
 */
export const addFavorite = async (db: Db, userId: number, repoId: number, max: number): Promise<boolean> => {
  const favorites = await db
    .selectFrom('favorites')
    .select('favorite_repo_id')
    .where('favorite_user_id', '=', userId)
    .execute()
  if (favorites.some((row) => row.favorite_repo_id === repoId)) return true
  if (favorites.length >= max) return false
  await db
    .insertInto('favorites')
    .values({ favorite_user_id: userId, favorite_repo_id: repoId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** Does nothing if the repository is not a favorite. */
export const deleteFavorite = async (db: Db, userId: number, repoId: number): Promise<void> => {
  await db
    .deleteFrom('favorites')
    .where('favorite_user_id', '=', userId)
    .where('favorite_repo_id', '=', repoId)
    .execute()
}
