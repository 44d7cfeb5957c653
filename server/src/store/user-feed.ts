/**
 * The builds of a user's feeds: those of the repositories with a permission row for the user, as on
 * the dashboard.
 */
import type { Repo, RepoWithBuild, User } from '@flightdeck/api'
import { sql } from 'kysely'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { filterBuilds, type BuildFilter } from './filter-builds.ts'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { toBuild, toRepo } from './rows.ts'
import type { BuildRow, RepoRow } from './schema.ts'
import { builds } from './tables/builds.ts'
import { repos } from './tables/repos.ts'

/** The number of repositories that one request reads: those with the newest builds. */
const maxRepos = 1_000
/**
 * The number of builds that it reads of each repository, and of all together. Searching texts costs
 * more.
 */
const scannedEach = { index: 2_000, texts: 200 }
const scannedTogether = { index: 100_000, texts: 10_000 }

interface FeedPage {
  filter: BuildFilter
  limit: number
  /** Unix seconds. */
  now: number
}

const newestRepos = (db: Db, userId: number) =>
  db
    .selectFrom('perms')
    .innerJoin('repos', 'repo_id', 'perm_repo_id')
    .selectAll('repos')
    .where('perm_user_id', '=', userId)
    .where('perm_read', '=', 1)
    .where('repo_latest_build_id', '>', 0)
    .orderBy('repo_latest_build_id', 'desc')
    .limit(maxRepos)
    .execute()

/** A text also matches the name of the repository. */
const filterIn = ({ slug }: Repo, filter: BuildFilter): BuildFilter =>
  filter.text !== undefined && slug.toLowerCase().includes(filter.text.toLowerCase())
    ? { ...filter, text: undefined }
    : filter

/**
 * The builds that match the filter, newest first, in the repositories with the newest builds, until
 * the limit is reached or enough builds were read.
 */
export const listUserFeed = async (db: Db, user: User, { filter, limit, now }: FeedPage): Promise<RepoWithBuild[]> => {
  let found: RepoWithBuild[] = []
  let share = 1
  for (const row of await newestRepos(db, user.id)) {
    // No build of this repository or the following ones is newer.
    if (share <= 0 || (found[limit - 1]?.build.id ?? 0) > row.repo_latest_build_id) break
    await yieldToEventLoop()
    const repo = toRepo(row)
    const used = filterIn(repo, filter)
    const kind = used.text === undefined ? 'index' : 'texts'
    const scanned = scannedEach[kind]
    // The counter is the highest number, so the repository has at most this many builds.
    share -= Math.min(repo.counter, scanned) / scannedTogether[kind]
    const { items } = await filterBuilds(db, repo.id, {
      filter: used,
      before: Number.MAX_SAFE_INTEGER,
      limit,
      now,
      scanned,
    })
    found.push(...items.map((build) => ({ ...repo, build })))
    found = found.toSorted((one, other) => other.build.id - one.build.id).slice(0, limit)
  }
  return found
}

const columns = [...repos.columns, ...builds.columns] as const

/**
 * The newest builds with a stage that waits for an approval, in repositories to which the user can
 * write.
 */
export const listBlockedBuildsOf = async (db: Db, user: User, limit: number): Promise<RepoWithBuild[]> => {
  const ids = await db
    .selectFrom('builds')
    .innerJoin('perms', 'perm_repo_id', 'build_repo_id')
    .select('build_id')
    .where('perm_user_id', '=', user.id)
    .where('perm_read', '=', 1)
    .$if(!user.admin, (query) => query.where('perm_write', '=', 1))
    .where(sql<boolean>`build_id in (select stage_build_id from stages where stage_status = 'blocked')`)
    .orderBy('build_id', 'desc')
    .limit(limit)
    .execute()
  const query = db
    .selectFrom('builds')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .selectAll(['repos', 'builds'])
    .where(sql<boolean>`build_id in (select value from json_each(${JSON.stringify(ids.map((row) => row.build_id))}))`)
  const rows = await newestRows(query, columns, 'build_id')
  return rows.map((row: RepoRow & BuildRow) => ({ ...toRepo(row), build: toBuild(row) }))
}
