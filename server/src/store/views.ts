/** Filters of lists that a user saved with a name. */
import type { SavedView } from '@flightdeck/api'
import { inTransaction, type Db } from './open.ts'

const ofUser = (db: Db, userId: number) => db.selectFrom('views').selectAll().where('view_user_id', '=', userId)

/** Ordered by list, then by name. */
export const listViews = async (db: Db, userId: number): Promise<SavedView[]> => {
  const rows = await ofUser(db, userId).orderBy('view_list').orderBy('view_name').execute()
  return rows.map((row) => ({
    list: row.view_list,
    name: row.view_name,
    query: row.view_query,
    default: row.view_default === 1,
  }))
}

/**
 * Adds a view, or replaces the one with this list and name. At most one view of a list is the
 * default. Returns false if there are already `max` others.
 */
export const saveView = (db: Db, userId: number, view: SavedView, max: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const views = await ofUser(tx, userId).execute()
    const isKnown = views.some((row) => row.view_list === view.list && row.view_name === view.name)
    if (!isKnown && views.length >= max) return false
    if (view.default) {
      await tx
        .updateTable('views')
        .set({ view_default: 0 })
        .where('view_user_id', '=', userId)
        .where('view_list', '=', view.list)
        .execute()
    }
    const values = { view_query: view.query, view_default: Number(view.default) }
    await tx
      .insertInto('views')
      .values({ view_user_id: userId, view_list: view.list, view_name: view.name, ...values })
      .onConflict((conflict) => conflict.columns(['view_user_id', 'view_list', 'view_name']).doUpdateSet(values))
      .execute()
    return true
  })

/** Does nothing if the view does not exist. */
export const deleteView = async (
  db: Db,
  userId: number,
  { list, name }: Pick<SavedView, 'list' | 'name'>,
): Promise<void> => {
  await db
    .deleteFrom('views')
    .where('view_user_id', '=', userId)
    .where('view_list', '=', list)
    .where('view_name', '=', name)
    .execute()
}
