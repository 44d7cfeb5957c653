/**
 * Repositories of the forge: found by the forge's ids, with their webhooks, mirrors and former
 * names.
 */
import type { Repo } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { toRepo } from './rows.ts'
import { flagCell } from './table.ts'

export interface ForgeRepoState {
  /** Sealed. Empty if there is no webhook. */
  hookSecret: string
  hookId: string
  hookError: string
  hookSeen: number
  mirrorFetched: number
  mirrorError: string
  mirrorBytes: number
  isRemoved: boolean
}

const empty = {
  forge_hook_secret: '',
  forge_hook_id: '',
  forge_hook_error: '',
  forge_hook_seen: 0,
  forge_mirror_fetched: 0,
  forge_mirror_error: '',
  forge_mirror_bytes: 0,
  forge_gone: 0,
}

/** Finds a repository by the forge's own id. */
export const findForgeRepo = async (db: Db, uid: string): Promise<Repo | null> => {
  const row = await db
    .selectFrom('repos')
    .selectAll()
    .where('repo_uid', '=', uid)
    .where('repo_forge', '=', 1)
    .executeTakeFirst()
  return row ? toRepo(row) : null
}

export const findForgeRepoState = async (db: Db, repoId: number): Promise<ForgeRepoState | null> => {
  const row = await db.selectFrom('forge_repos').selectAll().where('forge_repo_id', '=', repoId).executeTakeFirst()
  if (!row) return null
  return {
    hookSecret: row.forge_hook_secret,
    hookId: row.forge_hook_id,
    hookError: row.forge_hook_error,
    hookSeen: row.forge_hook_seen,
    mirrorFetched: row.forge_mirror_fetched,
    mirrorError: row.forge_mirror_error,
    mirrorBytes: row.forge_mirror_bytes,
    isRemoved: row.forge_gone === 1,
  }
}

/** Updates the given fields; creates the row if it does not exist. */
export const setForgeRepoState = async (db: Db, repoId: number, changes: Partial<ForgeRepoState>): Promise<void> => {
  const set = {
    ...(changes.hookSecret !== undefined && { forge_hook_secret: changes.hookSecret }),
    ...(changes.hookId !== undefined && { forge_hook_id: changes.hookId }),
    ...(changes.hookError !== undefined && { forge_hook_error: changes.hookError }),
    ...(changes.hookSeen !== undefined && { forge_hook_seen: changes.hookSeen }),
    ...(changes.mirrorFetched !== undefined && { forge_mirror_fetched: changes.mirrorFetched }),
    ...(changes.mirrorError !== undefined && { forge_mirror_error: changes.mirrorError }),
    ...(changes.mirrorBytes !== undefined && { forge_mirror_bytes: changes.mirrorBytes }),
    ...(changes.isRemoved !== undefined && { forge_gone: flagCell(changes.isRemoved) }),
  }
  const insert = db.insertInto('forge_repos').values({ forge_repo_id: repoId, ...empty, ...set })
  await insert
    .onConflict((conflict) => {
      const column = conflict.column('forge_repo_id')
      return Object.keys(set).length > 0 ? column.doUpdateSet(set) : column.doNothing()
    })
    .execute()
}

/**
 * Active repositories of the forge whose mirror was last fetched before `before`; the longest ago
 * first.
 */
export const listMirrorsToFetch = async (db: Db, before: number, limit: number): Promise<Repo[]> =>
  (
    await db
      .selectFrom('repos')
      .innerJoin('forge_repos', 'forge_repo_id', 'repo_id')
      .selectAll('repos')
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`repo_active = 1`)
      .where('repo_forge', '=', 1)
      .where('forge_gone', '=', 0)
      .where('forge_mirror_fetched', '<', before)
      .orderBy('forge_mirror_fetched')
      .limit(limit)
      .execute()
  ).map(toRepo)

/** The repository that had this name before, if no other one has it now. */
export const findRepoByFormerSlug = async (db: Db, slug: string): Promise<Repo | null> => {
  const row = await db
    .selectFrom('former_slugs')
    .innerJoin('repos', 'repo_id', 'former_repo_id')
    .selectAll('repos')
    .where('former_slug', '=', slug)
    .executeTakeFirst()
  return row ? toRepo(row) : null
}

/**
 * Moves the repository to its current name at the forge. The caller has freed the name
 * (`freeSlug`).
 */
export const moveRepo = async (
  db: Db,
  repo: Repo,
  to: { namespace: string; name: string },
  now: number,
): Promise<void> => {
  const slug = `${to.namespace}/${to.name}`
  await db
    .insertInto('former_slugs')
    .values({ former_slug: repo.slug, former_repo_id: repo.id, former_since: now })
    .onConflict((conflict) =>
      conflict.column('former_slug').doUpdateSet({ former_repo_id: repo.id, former_since: now }),
    )
    .execute()
  await db.deleteFrom('former_slugs').where('former_slug', '=', slug).execute()
  await db
    .updateTable('repos')
    .set((eb) => ({
      repo_namespace: to.namespace,
      repo_name: to.name,
      repo_slug: slug,
      repo_version: eb('repo_version', '+', 1),
    }))
    .where('repo_id', '=', repo.id)
    .execute()
}

/** Sets a name that no request can contain, until the current name at the forge is known. */
export const freeSlug = async (db: Db, repo: Repo): Promise<void> => {
  const name = `${repo.name}~${repo.id}`
  await db
    .updateTable('repos')
    .set((eb) => ({
      repo_name: name,
      repo_slug: `${repo.namespace}/${name}`,
      repo_version: eb('repo_version', '+', 1),
    }))
    .where('repo_id', '=', repo.id)
    .execute()
}

export interface ForgeFacts {
  private: boolean
  archived: boolean
  default_branch: string
  visibility: Repo['visibility']
  git_http_url: string
  git_ssh_url: string
  link: string
}

export const setForgeFacts = async (db: Db, repoId: number, facts: ForgeFacts, now: number): Promise<void> => {
  await db
    .updateTable('repos')
    .set((eb) => ({
      repo_private: flagCell(facts.private),
      // If a repository becomes private, its badge shows no status until a user enables it for the
      // private repository.
      ...(facts.private && {
        repo_public_badge: eb.case().when('repo_private', '=', 0).then(0).else(eb.ref('repo_public_badge')).end(),
      }),
      repo_archived: flagCell(facts.archived),
      repo_default_branch: facts.default_branch,
      repo_visibility: facts.visibility,
      repo_git_http_url: facts.git_http_url,
      repo_git_ssh_url: facts.git_ssh_url,
      repo_link: facts.link,
      repo_synced: now,
      repo_version: eb('repo_version', '+', 1),
    }))
    .where('repo_id', '=', repoId)
    .execute()
}

/** Removes a user's permissions on repositories of the forge that were not seen since `since`. */
export const dropStaleRights = async (db: Db, userId: number, since: number): Promise<void> => {
  await db
    .deleteFrom('perms')
    .where('perm_user_id', '=', userId)
    .where('perm_synced', '<', since)
    .where('perm_repo_id', 'in', (eb) => eb.selectFrom('repos').select('repo_id').where('repo_forge', '=', 1))
    .execute()
}

/** When the forge last confirmed this permission; `null` if there is none. */
export const findRightSyncTime = async (db: Db, userId: number, repoId: number): Promise<number | null> => {
  const row = await db
    .selectFrom('perms')
    .select('perm_synced')
    .where('perm_user_id', '=', userId)
    .where('perm_repo_id', '=', repoId)
    .executeTakeFirst()
  return row?.perm_synced ?? null
}
