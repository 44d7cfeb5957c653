/** Which accounts belong to which users of the forge, and the tokens for requests in their name. */
import type { User } from '@flightdeck/api'
import type { Db } from './open.ts'
import { toUser } from './rows.ts'

export interface ForgeAccount {
  userId: number
  /** The forge's own id of the user. */
  uid: string
  login: string
  /** Sealed. Empty if the user must sign in again. */
  token: string
  /** When the forge last accepted the token, in Unix seconds. */
  checked: number
}

interface Row {
  account_user_id: number
  account_uid: string
  account_login: string
  account_token: string
  account_checked: number
}

const toAccount = (row: Row): ForgeAccount => ({
  userId: row.account_user_id,
  uid: row.account_uid,
  login: row.account_login,
  token: row.account_token,
  checked: row.account_checked,
})

export const findForgeAccount = async (db: Db, userId: number): Promise<ForgeAccount | null> => {
  const query = db.selectFrom('forge_accounts').selectAll().where('account_user_id', '=', userId)
  const row = await query.executeTakeFirst()
  return row ? toAccount(row) : null
}

export const findForgeAccountByUid = async (db: Db, uid: string): Promise<ForgeAccount | null> => {
  const row = await db.selectFrom('forge_accounts').selectAll().where('account_uid', '=', uid).executeTakeFirst()
  return row ? toAccount(row) : null
}

/**
 * The account that had this login when it was last seen; the last seen of several. Only a hint,
 * because a login can be given to another user.
 */
export const findForgeAccountByLogin = async (db: Db, login: string): Promise<ForgeAccount | null> => {
  const row = await db
    .selectFrom('forge_accounts')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['account_login']), '=', login.toLowerCase()))
    .orderBy('account_checked', 'desc')
    .executeTakeFirst()
  return row ? toAccount(row) : null
}

/** Creates or replaces the row of a user. */
export const saveForgeAccount = async (db: Db, account: ForgeAccount): Promise<void> => {
  const values = {
    account_uid: account.uid,
    account_login: account.login,
    account_token: account.token,
    account_checked: account.checked,
  }
  await db
    .insertInto('forge_accounts')
    .values({ account_user_id: account.userId, ...values })
    .onConflict((conflict) => conflict.column('account_user_id').doUpdateSet(values))
    .execute()
}

export const setForgeToken = async (db: Db, userId: number, token: string): Promise<void> => {
  await db.updateTable('forge_accounts').set({ account_token: token }).where('account_user_id', '=', userId).execute()
}

/**
 * Removes an invalid token, unless another one has replaced it in the meantime. Returns whether it
 * was still stored.
 */
export const forgetForgeToken = async (db: Db, userId: number, token: string): Promise<boolean> => {
  const forget = db.updateTable('forge_accounts').set({ account_token: '' }).where('account_user_id', '=', userId)
  return (await forget.where('account_token', '=', token).executeTakeFirst()).numUpdatedRows > 0n
}

export const setForgeChecked = async (db: Db, userId: number, login: string, now: number): Promise<void> => {
  await db
    .updateTable('forge_accounts')
    .set({ account_checked: now, account_login: login })
    .where('account_user_id', '=', userId)
    .execute()
}

/**
 * Users with a session or an API token whose forge token was last valid before `before`; the
 * longest ago first.
 */
export const listForgeAccountsToCheck = async (db: Db, before: number, now: number): Promise<ForgeAccount[]> =>
  (
    await db
      .selectFrom('forge_accounts')
      .innerJoin('users', 'user_id', 'account_user_id')
      .selectAll('forge_accounts')
      .where('account_checked', '<', before)
      .where('account_token', '!=', '')
      .where((eb) =>
        eb.or([
          eb('user_token_hash', 'is not', null),
          eb.exists(
            eb
              .selectFrom('sessions')
              .select('session_id')
              .whereRef('session_user_id', '=', 'account_user_id')
              .where('session_expires', '>', now),
          ),
        ]),
      )
      .orderBy('account_checked')
      .limit(200)
      .execute()
  ).map(toAccount)

/**
 * Administrators of a repository with a working token: the owner first, then those who signed in
 * longest ago.
 */
export const listForgeAdministrators = async (db: Db, repoId: number): Promise<User[]> =>
  (
    await db
      .selectFrom('perms')
      .innerJoin('users', 'user_id', 'perm_user_id')
      .innerJoin('forge_accounts', 'account_user_id', 'user_id')
      .innerJoin('repos', 'repo_id', 'perm_repo_id')
      .selectAll('users')
      .where('perm_repo_id', '=', repoId)
      .where('perm_admin', '=', 1)
      .where('user_active', '=', 1)
      .where('account_token', '!=', '')
      .orderBy((eb) => eb.case().when('repo_user_id', '=', eb.ref('user_id')).then(0).else(1).end())
      .orderBy('user_id')
      .limit(20)
      .execute()
  ).map(toUser)

/** Renames an account. The caller checks that the name is free. */
export const setLogin = async (db: Db, userId: number, login: string): Promise<void> => {
  await db.updateTable('users').set({ user_login: login }).where('user_id', '=', userId).execute()
}
