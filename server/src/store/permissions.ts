import type { Collaborator, Permissions } from '@flightdeck/api'
import { sql } from 'kysely'
import { runAsActor } from '../lib/audit-context.ts'
import type { Db } from './open.ts'
import { flagCell } from './table.ts'
import type { PermRow } from './schema.ts'

/** Raw SQL, because every API call runs it, and building the query costs more than executing it. */
export const findPermissions = async (db: Db, userId: number, repoId: number): Promise<Permissions | null> => {
  const { rows } = await sql<Pick<PermRow, 'perm_read' | 'perm_write' | 'perm_admin'>>`
    select perm_read, perm_write, perm_admin from perms
    where perm_user_id = ${userId} and perm_repo_id = ${repoId}`.execute(db)
  const row = rows[0]
  return row ? { read: row.perm_read === 1, write: row.perm_write === 1, admin: row.perm_admin === 1 } : null
}

/** `fromRole`: the permissions come from the administrator role, until they are set explicitly. */
interface Origin {
  fromRole?: boolean
}

/** Creates the row, or replaces its permissions. */
export const setPermissions = async (
  db: Db,
  key: { userId: number; repoId: number },
  rights: Permissions,
  now: number,
  { fromRole = false }: Origin = {},
): Promise<void> => {
  const values = {
    perm_from_role: flagCell(fromRole),
    perm_read: flagCell(rights.read),
    perm_write: flagCell(rights.write),
    perm_admin: flagCell(rights.admin),
    perm_synced: now,
    perm_updated: now,
  }
  await db
    .insertInto('perms')
    .values({ perm_user_id: key.userId, perm_repo_id: key.repoId, perm_created: now, ...values })
    .onConflict((conflict) => conflict.columns(['perm_user_id', 'perm_repo_id']).doUpdateSet(values))
    .execute()
}

/**
 * Adds missing permissions: of a new user on all repositories, or of all users on new repositories.
 */
export const grantMissing = async (
  db: Db,
  to: { userId: number } | { repoIds: readonly number[] },
  rights: Permissions,
  now: number,
  { fromRole = false }: Origin = {},
): Promise<void> => {
  // The audit log does not record default permissions, only those that a user grants explicitly.
  const insert = db
    .insertInto('perms')
    .columns([
      'perm_from_role',
      'perm_user_id',
      'perm_repo_id',
      'perm_read',
      'perm_write',
      'perm_admin',
      'perm_synced',
      'perm_created',
      'perm_updated',
    ])
    .expression((eb) => {
      const pairs = eb
        .selectFrom(['users', 'repos'])
        .select([
          eb.val(flagCell(fromRole)).as('from_role'),
          'user_id',
          'repo_id',
          eb.val(flagCell(rights.read)).as('read'),
          eb.val(flagCell(rights.write)).as('write'),
          eb.val(flagCell(rights.admin)).as('admin'),
          eb.val(now).as('synced'),
          eb.val(now).as('created'),
          eb.val(now).as('updated'),
        ])
        .where('user_active', '=', 1)
        // The forge decides the permissions on its repositories.
        .where('repo_forge', '=', 0)
      return 'userId' in to
        ? pairs.where('user_id', '=', to.userId)
        : pairs.where(sql<boolean>`repo_id in (select value from json_each(${JSON.stringify(to.repoIds)}))`)
    })
    .onConflict((conflict) => conflict.doNothing())
  await runAsActor(undefined, () => insert.execute())
}

/** Returns true if there was a row. */
export const deletePermissions = async (db: Db, userId: number, repoId: number): Promise<boolean> => {
  const result = await db
    .deleteFrom('perms')
    .where('perm_user_id', '=', userId)
    .where('perm_repo_id', '=', repoId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes the permissions from the role of a user who is no longer an administrator. */
export const deleteRoleRights = async (db: Db, userId: number): Promise<void> => {
  await db.deleteFrom('perms').where('perm_user_id', '=', userId).where('perm_from_role', '=', 1).execute()
}

/** The ids of the repositories for which the user has a row. */
export const listPermittedRepoIds = async (db: Db, userId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('perms')
      .select('perm_repo_id')
      .where('perm_user_id', '=', userId)
      .where('perm_read', '=', 1)
      .execute()
  ).map((row) => row.perm_repo_id)

/**
 * Active accounts without permissions on a repository whose login contains the text in any case,
 * ordered by login.
 */
export const listUsersWithoutRights = async (
  db: Db,
  repoId: number,
  { text, limit }: { text: string; limit: number },
): Promise<{ login: string; avatar: string }[]> =>
  db
    .selectFrom('users')
    .select(['user_login as login', 'user_avatar as avatar'])
    .where('user_active', '=', 1)
    .where(sql<boolean>`instr(lower(user_login), lower(${text})) > 0`)
    .where(sql<boolean>`not exists (select 1 from perms where perm_user_id = user_id and perm_repo_id = ${repoId})`)
    .orderBy('user_login')
    .limit(limit)
    .execute()

/** Ordered by login (docs/api §1.11). `repo_id` is the repository's uid. */
export const listCollaborators = async (db: Db, repoId: number): Promise<Collaborator[]> =>
  (
    await db
      .selectFrom('perms')
      .innerJoin('users', 'user_id', 'perm_user_id')
      .innerJoin('repos', 'repo_id', 'perm_repo_id')
      .selectAll('perms')
      .select(['repo_uid', 'user_login', 'user_avatar'])
      .where('perm_repo_id', '=', repoId)
      .orderBy('user_login')
      .execute()
  ).map((row) => ({
    user_id: row.perm_user_id,
    repo_id: row.repo_uid,
    login: row.user_login,
    avatar: row.user_avatar,
    read: row.perm_read === 1,
    write: row.perm_write === 1,
    admin: row.perm_admin === 1,
    synced: row.perm_synced,
    created: row.perm_created,
    updated: row.perm_updated,
  }))
