/** The lists of a dashboard. Each is one query that uses indexes. */
import type { Repo, RepoWithBuild } from '@flightdeck/api'
import { sql } from 'kysely'
import { builds } from './tables/builds.ts'
import { repos } from './tables/repos.ts'
import { manyRows, newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { readByIds } from './parts.ts'
import { toBuild, toRepo } from './rows.ts'
import type { BuildRow, RepoRow } from './schema.ts'

const slugColumns = ['repo_id', 'repo_slug'] as const
const rankColumns = ['repo_id', 'repo_active', 'repo_slug', 'build_created'] as const
const withBuildColumns = [...repos.columns, ...builds.columns] as const

const withBuild = (row: RepoRow & BuildRow): RepoWithBuild => ({ ...toRepo(row), build: toBuild(row) })

/** Only the ids, in the same order. */
export const listUserRepoIds = async (db: Db, userId: number): Promise<number[]> => {
  const query = db
    .selectFrom('perms')
    .innerJoin('repos', 'repo_id', 'perm_repo_id')
    .select(['repo_id', 'repo_slug'])
    .where('perm_user_id', '=', userId)
    .where('perm_read', '=', 1)
  return (await manyRows(query, slugColumns, 'repo_slug')).map((row) => row.repo_id)
}

const withIds = (ids: readonly number[]) =>
  sql<boolean>`repo_id in (select value from json_each(${JSON.stringify(ids)}))`

/** Repositories for which the user has a permission row, ordered by slug (docs/api §1.15). */
export const listUserRepos = async (db: Db, userId: number): Promise<Repo[]> =>
  readByIds(await listUserRepoIds(db, userId), async (ids) =>
    (await manyRows(db.selectFrom('repos').selectAll().where(withIds(ids)), repos.columns, 'repo_slug')).map(toRepo),
  )

/** These repositories ordered by slug, each with the build with the highest id, if there is one. */
export const listReposWithLatest = async (db: Db, ids: readonly number[]): Promise<Repo[]> => {
  const query = db
    .selectFrom('repos')
    .leftJoin('builds', 'build_id', 'repo_latest_build_id')
    .selectAll(['repos', 'builds'])
    .where(withIds(ids))
  const rows = await manyRows(query, withBuildColumns, 'repo_slug')
  return rows.map((row) => (row.build_id === null ? toRepo(row) : withBuild(row as RepoRow & BuildRow)))
}

/**
 * What a repository's position on the dashboard depends on (specification §9: "active first, then
 * newest build created, then slug").
 */
export interface RepoRank {
  id: number
  active: boolean
  /** When the latest build was created; 0 if there is none. */
  created: number
  slug: string
}

export const listRepoRanks = async (db: Db, ids: readonly number[]): Promise<RepoRank[]> => {
  const query = db
    .selectFrom('repos')
    .leftJoin('builds', 'build_id', 'repo_latest_build_id')
    .select(rankColumns)
    .where(withIds(ids))
  const rows = await manyRows(query, rankColumns, 'repo_slug')
  return rows.map((row) => ({
    id: row.repo_id,
    active: row.repo_active === 1,
    created: row.build_created ?? 0,
    slug: row.repo_slug,
  }))
}

/** How far back `listRecentBuilds` scans before it queries each repository. */
const nearPast = 2_000

/** The newest builds over all repositories of the user (docs/api §1.15: 25). */
export const listRecentBuilds = async (db: Db, userId: number, limit = 25): Promise<RepoWithBuild[]> => {
  // Most users have builds among the newest of all, so this is a short scan along the primary key.
  const newestOfAll = db
    .selectFrom('builds as near')
    .select('near.build_id as near_id')
    // Without `exists`, for which SQLite would first read all permissions of the user.
    .where(
      (eb) =>
        eb
          .selectFrom('perms')
          .select('perm_read')
          .where('perm_user_id', '=', userId)
          .whereRef('perm_repo_id', '=', 'near.build_repo_id'),
      '=',
      1,
    )
    .where(
      'near.build_id',
      '>',
      db.selectFrom('builds').select(sql<number>`ifnull(max(build_id), 0) - ${nearPast}`.as('start')),
    )
    .orderBy('near.build_id', 'desc')
    .limit(limit)
  const query = db
    .selectFrom(newestOfAll.as('newest'))
    .innerJoin('builds', 'build_id', 'near_id')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .selectAll(['repos', 'builds'])
  const recent = await newestRows(query, withBuildColumns, 'build_id')
  if (recent.length === limit) return recent.map(withBuild)

  // The newest builds can only be in the repositories with the newest latest builds.
  const repos = await db
    .selectFrom('perms')
    .innerJoin('repos', 'repo_id', 'perm_repo_id')
    .select('repo_id')
    .where('perm_user_id', '=', userId)
    .where('perm_read', '=', 1)
    .where('repo_latest_build_id', '>', 0)
    .orderBy('repo_latest_build_id', 'desc')
    .limit(limit)
    .execute()
  const ids: number[] = []
  for (const { repo_id: repoId } of repos) {
    const builds = await db
      .selectFrom('builds')
      .select('build_id')
      .where('build_repo_id', '=', repoId)
      .orderBy('build_number', 'desc')
      .limit(limit)
      .execute()
    ids.push(...builds.map((build) => build.build_id))
  }
  const newest = ids.toSorted((a, b) => b - a).slice(0, limit)
  if (newest.length === 0) return []
  const rows = await db
    .selectFrom('builds')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .selectAll(['repos', 'builds'])
    .where('build_id', 'in', newest)
    .orderBy('build_id', 'desc')
    .execute()
  return rows.map(withBuild)
}

/**
 * Builds with a pending or running stage, newest first, of all repositories (docs/api §1.15: 50).
 */
export const listIncompleteBuilds = async (db: Db, limit = 50): Promise<RepoWithBuild[]> => {
  const rows = await db
    .selectFrom('builds')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .selectAll(['repos', 'builds'])
    .where('build_id', 'in', (eb) =>
      eb
        .selectFrom('stages')
        .select('stage_build_id')
        // Written literally, so that SQLite uses the partial index on exactly these.
        .where(sql<boolean>`stage_status in ('pending', 'running')`),
    )
    .orderBy('build_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withBuild)
}

export interface RepoCandidate {
  slug: string
  /** The path on this machine. */
  path: string
  defaultBranch: string
  /** Empty before the first activation. */
  configPath: string
}

/** The number of repositories, and some of them as examples: active ones, if there are any. */
export interface RepoOverview {
  all: number
  active: number
  /** The first few, ordered by slug. */
  candidates: readonly RepoCandidate[]
}

export async function readRepoOverview(db: Db, maxCandidates = 20): Promise<RepoOverview> {
  const counts = await db
    .selectFrom('repos')
    .select([sql<number>`count(*)`.as('all'), sql<number>`coalesce(sum(repo_active), 0)`.as('active')])
    .executeTakeFirstOrThrow()
  const candidates = await db
    .selectFrom('repos')
    .select([
      'repo_slug as slug',
      'repo_path as path',
      'repo_default_branch as defaultBranch',
      'repo_config_path as configPath',
    ])
    .where('repo_missing', '=', 0)
    .where('repo_active', '=', counts.active > 0 ? 1 : 0)
    .orderBy('repo_slug')
    .limit(maxCandidates)
    .execute()
  return { ...counts, candidates }
}
