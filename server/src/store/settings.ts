/** Single values that the server stores. */
import type { Db } from './open.ts'

export const findSetting = async (db: Db, name: string): Promise<string | null> =>
  (await db.selectFrom('settings').select('setting_value').where('setting_name', '=', name).executeTakeFirst())
    ?.setting_value ?? null

export const saveSetting = async (db: Db, name: string, value: string): Promise<void> => {
  await db
    .insertInto('settings')
    .values({ setting_name: name, setting_value: value })
    .onConflict((conflict) => conflict.column('setting_name').doUpdateSet({ setting_value: value }))
    .execute()
}
