/** Cards of steps (docs/api §8.1): any JSON, stored as the received text. */
import type { Db } from './open.ts'

/** Fails like the reference server's database if the step has a card. */
export const createCard = async (db: Db, stepId: number, data: string): Promise<void> => {
  await db.insertInto('cards').values({ card_id: stepId, card_data: data }).execute()
}

/** Changes nothing if the step has a card. */
export const createFirstCard = async (db: Db, stepId: number, data: string): Promise<void> => {
  await db
    .insertInto('cards')
    .values({ card_id: stepId, card_data: data })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findCard = async (db: Db, stepId: number): Promise<string | null> => {
  const row = await db.selectFrom('cards').select('card_data').where('card_id', '=', stepId).executeTakeFirst()
  return row?.card_data ?? null
}

export const deleteCard = async (db: Db, stepId: number): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('cards').where('card_id', '=', stepId).executeTakeFirst()
  return numDeletedRows > 0n
}
