import type { Repo } from '@flightdeck/api'
import { sql } from 'kysely'
import { StaleVersionError } from './errors.ts'
import { manyRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import { prepareQuery } from './prepared.ts'
import { toRepo } from './rows.ts'
import type { RepoRow } from './schema.ts'
import { flagCell } from './table.ts'
import { repos } from './tables/repos.ts'

/**
 * The fields of a repository that are never part of a response (docs/api §1.3 "Never serialised").
 */
export interface RepoInternals {
  signer: string
  secret: string
  /** The git folder on this machine. */
  path: string
  /** Whether the repository is on the forge; `path` is then its mirror. */
  forge: boolean
  /** Whether the folder was missing at the last sync. */
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

const internals = { signer: '', secret: '', missing: false, latest_build_id: 0 }

const inactive = ({ uid, namespace, name, default_branch, visibility, now, ...given }: NewRepo) => ({
  uid,
  user_id: 0,
  namespace,
  name,
  slug: `${namespace}/${name}`,
  scm: '',
  git_http_url: given.git_http_url ?? '',
  git_ssh_url: given.git_ssh_url ?? '',
  link: given.link ?? '',
  default_branch,
  private: given.private ?? false,
  visibility,
  active: false,
  config_path: '',
  trusted: false,
  protected: false,
  ignore_forks: false,
  ignore_pull_requests: false,
  auto_cancel_pull_requests: false,
  auto_cancel_pushes: false,
  auto_cancel_running: false,
  timeout: 0,
  counter: 0,
  synced: now,
  created: now,
  updated: now,
  version: 1,
  archived: false,
})

/**
 * Creates a repository that a sync has found: inactive, without owner, timeout and config path
 * (docs/api §1.3).
 */
export const createRepo = async (db: Db, repo: NewRepo): Promise<Repo> =>
  toRepo(
    await db
      .insertInto('repos')
      .values(repos.toRow(inactive(repo), { ...internals, path: repo.path, forge: repo.forge ?? false }))
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

const repoById = prepareQuery((db, { id }: { id: number }) =>
  db.selectFrom('repos').selectAll().where('repo_id', '=', id),
)
export const findRepo = async (db: Db, id: number): Promise<Repo | null> => {
  const [row] = await repoById(db, { id })
  return row ? toRepo(row) : null
}

/**
 * Case-sensitive (docs/api §0 "slug"). Raw SQL, because each call for a repository runs it, and
 * building the query costs more than executing it.
 */
export const findRepoBySlug = async (db: Db, slug: string): Promise<Repo | null> => {
  const { rows } = await sql<RepoRow>`select * from repos where repo_slug = ${slug}`.execute(db)
  return rows[0] ? toRepo(rows[0]) : null
}

/**
 * One page of all repositories (docs/api §2.3: no maximum), ordered by id, so that pages do not
 * overlap.
 */
export const listRepos = async (db: Db, { page, perPage }: { page: number; perPage: number }): Promise<Repo[]> => {
  let left = perPage
  return readInParts(async (last, count) => {
    const all = db.selectFrom('repos').selectAll().orderBy('repo_id').limit(Math.min(count, left))
    const rows = await (last ? all.where('repo_id', '>', last.id) : all.offset((page - 1) * perPage)).execute()
    left -= rows.length
    return rows.map(toRepo)
  })
}

/**
 * Writes all fields that can change, if no other write happened since `repo` was read. Returns the
 * repository with its new version.
 */
export const updateRepo = async (db: Db, repo: Repo): Promise<Repo> => {
  const row = await db
    .updateTable('repos')
    .set({ ...repos.set(repo), repo_version: repo.version + 1 })
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

/**
 * Returns the next build number. Uses one statement, so that two concurrent builds get two numbers
 * and no lock error.
 */
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

/** Does not increment the version, because clients cannot see these fields. */
export const updateRepoInternals = async (
  db: Db,
  id: number,
  changes: Partial<Omit<RepoInternals, 'forge'>>,
): Promise<void> => {
  const set = {
    ...(changes.signer !== undefined && { repo_signer: changes.signer }),
    ...(changes.secret !== undefined && { repo_secret: changes.secret }),
    ...(changes.path !== undefined && { repo_path: changes.path }),
    ...(changes.missing !== undefined && { repo_missing: flagCell(changes.missing) }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('repos').set(set).where('repo_id', '=', id).execute()
}

/**
 * Only the fields that a scan of the folders compares, because there can be thousands of
 * repositories.
 */
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

/** The repositories in folders. */
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

/**
 * The repositories in folders whose refs are watched. Reads only the identifying fields, because it
 * runs every second or so.
 */
export const listActiveRepoPaths = async (db: Db): Promise<{ id: number; path: string }[]> => {
  const query = db
    .selectFrom('repos')
    .select(pathColumns)
    // Written literally, so that SQLite uses the partial index on exactly these.
    .where(sql<boolean>`repo_active = 1`)
    .where('repo_missing', '=', 0)
    .where('repo_forge', '=', 0)
  const rows = await manyRows(query, pathColumns, 'repo_id')
  return rows.map((row) => ({ id: row.repo_id, path: row.repo_path }))
}
