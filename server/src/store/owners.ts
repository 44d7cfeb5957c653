/** Chooses the user in whose name a repository is read and built (docs/api §2.2). */
import type { Db } from './open.ts'

/**
 * Another administrator of the repository, otherwise of the system; users before machine accounts,
 * the oldest account first.
 */
const findNextOwner = async (db: Db, repoId: number, leaving: number): Promise<number> => {
  const ofRepository = await db
    .selectFrom('perms')
    .innerJoin('users', 'user_id', 'perm_user_id')
    .select('user_id')
    .where('perm_repo_id', '=', repoId)
    .where('perm_admin', '=', 1)
    .where('user_active', '=', 1)
    .where('user_id', '!=', leaving)
    .orderBy('user_machine')
    .orderBy('user_id')
    .executeTakeFirst()
  if (ofRepository) return ofRepository.user_id
  const ofSystem = await db
    .selectFrom('users')
    .select('user_id')
    .where('user_admin', '=', 1)
    .where('user_active', '=', 1)
    .where('user_id', '!=', leaving)
    .orderBy('user_machine')
    .orderBy('user_id')
    .executeTakeFirst()
  return ofSystem?.user_id ?? 0
}

const transfer = async (db: Db, repoIds: readonly number[], leaving: number): Promise<void> => {
  for (const repoId of repoIds) {
    const heir = await findNextOwner(db, repoId, leaving)
    await db
      .updateTable('repos')
      .set((eb) => ({ repo_user_id: heir, repo_version: eb('repo_version', '+', 1) }))
      .where('repo_id', '=', repoId)
      .where('repo_user_id', '!=', heir)
      .execute()
  }
}

/** Transfers the repositories of a user who leaves to another user. */
export const transferRepos = async (db: Db, userId: number): Promise<void> => {
  const owned = await db.selectFrom('repos').select('repo_id').where('repo_user_id', '=', userId).execute()
  await transfer(
    db,
    owned.map((row) => row.repo_id),
    userId,
  )
}

/**
 * Assigns an owner to repositories whose owner is deleted or disabled, and to active ones without
 * an owner, because repositories without an owner are not built.
 */
export const adoptRepos = async (db: Db): Promise<void> => {
  const orphans = await db
    .selectFrom('repos')
    .leftJoin('users', 'user_id', 'repo_user_id')
    .select('repo_id')
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_active', '=', 0)]))
    .where((eb) => eb.or([eb('repo_active', '=', 1), eb('repo_user_id', '!=', 0)]))
    .execute()
  await transfer(
    db,
    orphans.map((row) => row.repo_id),
    0,
  )
}
