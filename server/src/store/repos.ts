import type { Repo } from '@flightdeck/api'
import { sql } from 'kysely'
import { StaleVersionError } from './errors.ts'
import { manyRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import { flag, toRepo } from './rows.ts'
import type { RepoRow } from './schema.ts'

/** What of a repository never leaves the server (docs/api §1.3 "Never serialised"). */
export interface RepoInternals {
  signer: string
  secret: string
  /** The git folder on this machine. */
  path: string
  /** It lies at the forge; `path` is its mirror. */
  forge: boolean
  /** The folder was gone at the last sync. */
  missing: boolean
}

export interface NewRepo {
  uid: string
  namespace: string
  name: string
  path: string
  default_branch: string
  git_http_url?: string
  git_ssh_url?: string
  link?: string
  private?: boolean
  forge?: boolean
  visibility: Repo['visibility']
  now: number
}

/** A repository as a sync finds it: inactive, without owner, timeout and config path (docs/api §1.3). */
export const createRepo = async (db: Db, repo: NewRepo): Promise<Repo> =>
  toRepo(
    await db
      .insertInto('repos')
      .values({
        repo_uid: repo.uid,
        repo_user_id: 0,
        repo_namespace: repo.namespace,
        repo_name: repo.name,
        repo_slug: `${repo.namespace}/${repo.name}`,
        repo_scm: '',
        repo_git_http_url: repo.git_http_url ?? '',
        repo_git_ssh_url: repo.git_ssh_url ?? '',
        repo_link: repo.link ?? '',
        repo_default_branch: repo.default_branch,
        repo_private: flag(repo.private),
        repo_visibility: repo.visibility,
        repo_active: 0,
        repo_config_path: '',
        repo_trusted: 0,
        repo_protected: 0,
        repo_ignore_forks: 0,
        repo_ignore_pull_requests: 0,
        repo_auto_cancel_pull_requests: 0,
        repo_auto_cancel_pushes: 0,
        repo_auto_cancel_running: 0,
        repo_timeout: 0,
        repo_throttle: 0,
        repo_counter: 0,
        repo_synced: repo.now,
        repo_created: repo.now,
        repo_updated: repo.now,
        repo_version: 1,
        repo_archived: 0,
        repo_signer: '',
        repo_secret: '',
        repo_path: repo.path,
        repo_missing: 0,
        repo_latest_build_id: 0,
        repo_forge: flag(repo.forge),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const findRepo = async (db: Db, id: number): Promise<Repo | null> => {
  const row = await db.selectFrom('repos').selectAll().where('repo_id', '=', id).executeTakeFirst()
  return row ? toRepo(row) : null
}

/**
 * Case-sensitive (docs/api §0 "slug"). Written out, as each call for a repository asks it: to put a query together costs more
 * than to answer it.
 */
export const findRepoBySlug = async (db: Db, slug: string): Promise<Repo | null> => {
  const { rows } = await sql<RepoRow>`select * from repos where repo_slug = ${slug}`.execute(db)
  return rows[0] ? toRepo(rows[0]) : null
}

/** All repositories, a page at a time (docs/api §2.3: no maximum). By id, so pages do not overlap. */
export const listRepos = async (db: Db, { page, perPage }: { page: number; perPage: number }): Promise<Repo[]> => {
  let left = perPage
  return readInParts(async (last, count) => {
    const all = db.selectFrom('repos').selectAll().orderBy('repo_id').limit(Math.min(count, left))
    const rows = await (last ? all.where('repo_id', '>', last.id) : all.offset((page - 1) * perPage)).execute()
    left -= rows.length
    return rows.map(toRepo)
  })
}

/** Writes all fields that can change, if nobody else wrote since `repo` was read. Answers it with its new version. */
export const updateRepo = async (db: Db, repo: Repo): Promise<Repo> => {
  const row = await db
    .updateTable('repos')
    .set({
      repo_user_id: repo.user_id,
      repo_namespace: repo.namespace,
      repo_name: repo.name,
      repo_slug: repo.slug,
      repo_scm: repo.scm,
      repo_git_http_url: repo.git_http_url,
      repo_git_ssh_url: repo.git_ssh_url,
      repo_link: repo.link,
      repo_default_branch: repo.default_branch,
      repo_private: flag(repo.private),
      repo_visibility: repo.visibility,
      repo_active: flag(repo.active),
      repo_config_path: repo.config_path,
      repo_trusted: flag(repo.trusted),
      repo_protected: flag(repo.protected),
      repo_ignore_forks: flag(repo.ignore_forks),
      repo_ignore_pull_requests: flag(repo.ignore_pull_requests),
      repo_auto_cancel_pull_requests: flag(repo.auto_cancel_pull_requests),
      repo_auto_cancel_pushes: flag(repo.auto_cancel_pushes),
      repo_auto_cancel_running: flag(repo.auto_cancel_running),
      repo_timeout: repo.timeout,
      repo_throttle: repo.throttle ?? 0,
      repo_counter: repo.counter,
      repo_public_badge: flag(repo.public_badge),
      repo_synced: repo.synced,
      repo_updated: repo.updated,
      repo_version: repo.version + 1,
    })
    .where('repo_id', '=', repo.id)
    .where('repo_version', '=', repo.version)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new StaleVersionError()
  return toRepo(row)
}

export const deleteRepo = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('repos').where('repo_id', '=', id).execute()
}

/** The next build number. One statement, so two builds at once get two numbers and no lock error. */
export const takeBuildNumber = async (db: Db, repoId: number): Promise<number> => {
  const row = await db
    .updateTable('repos')
    .set((eb) => ({ repo_counter: eb('repo_counter', '+', 1), repo_version: eb('repo_version', '+', 1) }))
    .where('repo_id', '=', repoId)
    .returning('repo_counter')
    .executeTakeFirstOrThrow()
  return row.repo_counter
}

export const findRepoInternals = async (db: Db, id: number): Promise<RepoInternals | null> => {
  const row = await db
    .selectFrom('repos')
    .select(['repo_signer', 'repo_secret', 'repo_path', 'repo_missing', 'repo_forge'])
    .where('repo_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    signer: row.repo_signer,
    secret: row.repo_secret,
    path: row.repo_path,
    forge: row.repo_forge === 1,
    missing: row.repo_missing === 1,
  }
}

/** Bumps no version: clients cannot see these fields. */
export const updateRepoInternals = async (
  db: Db,
  id: number,
  changes: Partial<Omit<RepoInternals, 'forge'>>,
): Promise<void> => {
  const set = {
    ...(changes.signer !== undefined && { repo_signer: changes.signer }),
    ...(changes.secret !== undefined && { repo_secret: changes.secret }),
    ...(changes.path !== undefined && { repo_path: changes.path }),
    ...(changes.missing !== undefined && { repo_missing: flag(changes.missing) }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('repos').set(set).where('repo_id', '=', id).execute()
}

/** What a reading of the folders is compared with, and no more: there may be thousands. */
export interface RepoPlace extends Pick<Repo, 'id' | 'uid' | 'default_branch' | 'git_http_url' | 'link'> {
  path: string
  missing: boolean
}

const placeColumns = [
  'repo_id',
  'repo_uid',
  'repo_default_branch',
  'repo_git_http_url',
  'repo_link',
  'repo_path',
  'repo_missing',
] as const

/** Of those in folders. */
export const listRepoPlaces = async (db: Db): Promise<RepoPlace[]> => {
  const query = db.selectFrom('repos').select(placeColumns).where('repo_forge', '=', 0)
  const rows = await manyRows(query, placeColumns, 'repo_id')
  return rows.map((row) => ({
    id: row.repo_id,
    uid: row.repo_uid,
    default_branch: row.repo_default_branch,
    git_http_url: row.repo_git_http_url,
    link: row.repo_link,
    path: row.repo_path,
    missing: row.repo_missing === 1,
  }))
}

const pathColumns = ['repo_id', 'repo_path'] as const

/** The repositories in folders whose refs are watched: no more than tells them apart, since it is asked every second or so. */
export const listActiveRepoPaths = async (db: Db): Promise<{ id: number; path: string }[]> => {
  const query = db
    .selectFrom('repos')
    .select(pathColumns)
    // Literal, so that the partial index on exactly these is used.
    .where(sql<boolean>`repo_active = 1`)
    .where('repo_missing', '=', 0)
    .where('repo_forge', '=', 0)
  const rows = await manyRows(query, pathColumns, 'repo_id')
  return rows.map((row) => ({ id: row.repo_id, path: row.repo_path }))
}
