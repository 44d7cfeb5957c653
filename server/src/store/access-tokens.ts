/** Named API tokens. Only the hashes of their values are stored. */
import type { AccessToken, User } from '@flightdeck/api'
import type { Selectable } from 'kysely'
import type { Db } from './open.ts'
import { toUser } from './rows.ts'
import type { AccessTokensTable } from './schema.ts'

export interface NewAccessToken {
  userId: number
  hash: string
  name: string
  created: number
  /** Unix seconds; 0 means never. */
  expires: number
}

const toAccessToken = (row: Selectable<AccessTokensTable>): AccessToken => ({
  id: row.access_token_id,
  name: row.access_token_name,
  created: row.access_token_created,
  expires: row.access_token_expires,
  last_used: row.access_token_last_used,
})

/**
 * Returns the token as its owner sees it. Throws if the user has another token with the same name.
 */
export const createAccessToken = async (db: Db, token: NewAccessToken): Promise<AccessToken> =>
  toAccessToken(
    await db
      .insertInto('access_tokens')
      .values({
        access_token_user_id: token.userId,
        access_token_hash: token.hash,
        access_token_name: token.name,
        access_token_created: token.created,
        access_token_expires: token.expires,
        access_token_last_used: 0,
        access_token_expired: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/** Newest first, including expired tokens. */
export const listAccessTokens = async (db: Db, userId: number): Promise<AccessToken[]> => {
  const rows = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('access_token_user_id', '=', userId)
    .orderBy('access_token_id', 'desc')
    .execute()
  return rows.map(toAccessToken)
}

/** Returns the token's owner; `null` if the token is unknown or has expired. */
export const findAccessToken = async (
  db: Db,
  hash: string,
  now: number,
): Promise<{ token: AccessToken; user: User } | null> => {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'user_id', 'access_token_user_id')
    .selectAll(['access_tokens', 'users'])
    .where('access_token_hash', '=', hash)
    .where((eb) => eb.or([eb('access_token_expires', '=', 0), eb('access_token_expires', '>', now)]))
    .executeTakeFirst()
  return row ? { token: toAccessToken(row), user: toUser(row) } : null
}

export const touchAccessToken = async (db: Db, id: number, now: number): Promise<void> => {
  await db.updateTable('access_tokens').set({ access_token_last_used: now }).where('access_token_id', '=', id).execute()
}

/** Returns false if the user has no such token. */
export const deleteAccessToken = async (db: Db, userId: number, id: number): Promise<boolean> => {
  const result = await db
    .deleteFrom('access_tokens')
    .where('access_token_user_id', '=', userId)
    .where('access_token_id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes the user's named tokens and links to the wall. */
export const deleteUserAccessTokens = async (db: Db, userId: number): Promise<void> => {
  await db.deleteFrom('access_tokens').where('access_token_user_id', '=', userId).execute()
  await db.deleteFrom('wall_links').where('wall_link_user_id', '=', userId).execute()
}

/** How long an expired token is listed for its owner. */
const listedSeconds = 30 * 24 * 3600

/**
 * Marks tokens that have expired, which ends their streams, and removes those that expired long
 * ago. Cheap if there are none.
 */
export const expireAccessTokens = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('access_tokens')
    .set({ access_token_expired: 1 })
    .where('access_token_expired', '=', 0)
    .where('access_token_expires', '>', 0)
    .where('access_token_expires', '<=', now)
    .execute()
  await db
    .deleteFrom('access_tokens')
    .where('access_token_expired', '=', 1)
    .where('access_token_expires', '<=', now - listedSeconds)
    .execute()
}
