import type { User } from '@flightdeck/api'
import type { Db } from './open.ts'
import { toUser } from './rows.ts'
import { users } from './tables/users.ts'

/**
 * An API token: encrypted, because the account page shows it again, and hashed (SHA-256), to find
 * its owner.
 */
export interface StoredToken {
  hash: string
  encrypted: string
}

export interface NewUser {
  login: string
  email?: string
  admin?: boolean
  /** The default is true. */
  active?: boolean
  machine?: boolean
  avatar?: string
  created: number
  /** The result of `hashPassword`. */
  password?: string
  token?: StoredToken
}

/**
 * Throws SQLite's own text for a duplicate: `UNIQUE constraint failed: users.user_login` (docs/api
 * §2.2).
 */
export const createUser = async (db: Db, user: NewUser): Promise<User> =>
  toUser(
    await db
      .insertInto('users')
      .values(
        users.toRow(
          {
            login: user.login,
            email: user.email ?? '',
            machine: user.machine ?? false,
            admin: user.admin ?? false,
            active: user.active ?? true,
            avatar: user.avatar ?? '',
            syncing: false,
            synced: 0,
            created: user.created,
            updated: user.created,
            last_login: 0,
          },
          {
            password: user.password ?? null,
            token: user.token?.encrypted ?? null,
            token_hash: user.token?.hash ?? null,
          },
        ),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const findUser = async (db: Db, id: number): Promise<User | null> => {
  const row = await db.selectFrom('users').selectAll().where('user_id', '=', id).executeTakeFirst()
  return row ? toUser(row) : null
}

/**
 * Ignores case (docs/api §0 "slug"). Refuses NUL, because the driver ends a text there and would
 * find another login.
 */
export const findUserByLogin = async (db: Db, login: string): Promise<User | null> => {
  if (login.includes('\0')) return null
  const row = await db.selectFrom('users').selectAll().where('user_login', '=', login).executeTakeFirst()
  return row ? toUser(row) : null
}

export const findUserByTokenHash = async (db: Db, hash: string): Promise<User | null> => {
  const row = await db.selectFrom('users').selectAll().where('user_token_hash', '=', hash).executeTakeFirst()
  return row ? toUser(row) : null
}

export const listUsers = async (db: Db): Promise<User[]> =>
  (await db.selectFrom('users').selectAll().orderBy('user_login').execute()).map(toUser)

export type UserChanges = Parameters<typeof users.change>[0]

/** Returns the updated user; `null` if there is no such user. */
export const updateUser = async (db: Db, id: number, changes: UserChanges): Promise<User | null> => {
  const set = users.change(changes)
  if (Object.keys(set).length > 0) await db.updateTable('users').set(set).where('user_id', '=', id).execute()
  return findUser(db, id)
}

/** Whether another user is an administrator and can sign in. */
export const hasOtherAdministrator = async (db: Db, id: number): Promise<boolean> => {
  const other = await db
    .selectFrom('users')
    .select('user_id')
    .where('user_admin', '=', 1)
    .where('user_active', '=', 1)
    .where('user_machine', '=', 0)
    .where('user_id', '!=', id)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Deletes a user with sessions, invitations and permissions. Repositories must be transferred
 * before (`transferRepos`).
 */
export const deleteUser = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('users').where('user_id', '=', id).execute()
}

/** Used at the start: after a crash no sync is running. */
export const clearSyncing = async (db: Db): Promise<void> => {
  await db.updateTable('users').set({ user_syncing: 0 }).where('user_syncing', '=', 1).execute()
}

/** The hash, or `null` if the user cannot sign in with a password. */
export const findPassword = async (db: Db, id: number): Promise<string | null> =>
  (await db.selectFrom('users').select('user_password').where('user_id', '=', id).executeTakeFirst())?.user_password ??
  null

export const setPassword = async (db: Db, id: number, hash: string | null): Promise<void> => {
  await db.updateTable('users').set({ user_password: hash }).where('user_id', '=', id).execute()
}

export const findToken = async (db: Db, id: number): Promise<string | null> =>
  (await db.selectFrom('users').select('user_token').where('user_id', '=', id).executeTakeFirst())?.user_token ?? null

/** With `null`, the user has no token until one is requested. */
export const setToken = async (db: Db, id: number, token: StoredToken | null): Promise<void> => {
  await db
    .updateTable('users')
    .set({ user_token: token?.encrypted ?? null, user_token_hash: token?.hash ?? null })
    .where('user_id', '=', id)
    .execute()
}
