import type { Again, Build, LeftOut, Status } from '@flightdeck/api'
import { sql } from 'kysely'
import { indexBuild } from './build-search/index-builds.ts'
import { StaleVersionError } from './errors.ts'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { prepareQuery } from './prepared.ts'
import { toBuild } from './rows.ts'
import { listBuildStages } from './stages.ts'
import { deleteSentStatuses } from './statuses.ts'
import { builds } from './tables/builds.ts'

/** A build before it has an id. */
export type NewBuild = Omit<Build, 'id' | 'version' | 'stages'>

const againText = (again: Again | undefined): string => (again ? JSON.stringify(again) : '')

/** Creates the build with version 1, as the latest build of its repository. */
export const createBuild = async (db: Db, build: NewBuild): Promise<Build> => {
  const row = await db
    .insertInto('builds')
    .values(builds.toRow({ ...build, version: 1 }, {}))
    .returningAll()
    .executeTakeFirstOrThrow()
  await indexBuild(db, row)
  await db
    .updateTable('repos')
    .set({ repo_latest_build_id: row.build_id })
    .where('repo_id', '=', build.repo_id)
    .execute()
  return toBuild(row)
}

const buildById = prepareQuery((db, { id }: { id: number }) =>
  db.selectFrom('builds').selectAll().where('build_id', '=', id),
)
export const findBuild = async (db: Db, id: number): Promise<Build | null> => {
  const [row] = await buildById(db, { id })
  return row ? toBuild(row) : null
}

export const findBuildStatus = async (db: Db, id: number): Promise<Status | null> =>
  ((await db.selectFrom('builds').select('build_status').where('build_id', '=', id).executeTakeFirst())?.build_status ??
    null) as Status | null

export const findBuildByNumber = async (db: Db, repoId: number, number: number): Promise<Build | null> => {
  const row = await db
    .selectFrom('builds')
    .selectAll()
    .where('build_repo_id', '=', repoId)
    .where('build_number', '=', number)
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/** The newest build of a ref (`refs/heads/main`). */
export const findLatestBuildOfRef = async (db: Db, repoId: number, ref: string): Promise<Build | null> => {
  const row = await db
    .selectFrom('builds')
    .selectAll()
    .where('build_repo_id', '=', repoId)
    .where('build_ref', '=', ref)
    .orderBy('build_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/**
 * Returns the build with its stages and their steps; `stages` is omitted if there are none
 * (docs/api §1.15).
 */
export const withStages = async (db: Db, build: Build): Promise<Build> => {
  const stages = await listBuildStages(db, build.id)
  return stages.length > 0 ? { ...build, stages } : build
}

interface PageStart {
  /** The builds of the page have lower numbers than this. */
  below: number
  /** How many lower numbers to skip. */
  offset: number
}

/**
 * Finds where a page of builds starts after `offset` newer ones. Uses the counts of `thousands`,
 * because an index is scanned row by row.
 */
const findPageStart = async (db: Db, repoId: number, offset: number): Promise<PageStart | null> => {
  const { rows } = await sql<{ number: number; before: number }>`
    select number, before from (
      select thousand_number as number, thousand_builds as builds,
        sum(thousand_builds) over (order by thousand_number desc) - thousand_builds as before
      from thousands where thousand_repo_id = ${repoId}
    ) where before <= ${offset} and before + builds > ${offset}`.execute(db)
  const [found] = rows
  return found ? { below: (found.number + 1) * 1000, offset: offset - found.before } : null
}

/** From this offset on, scanning the index costs more than querying the start position. */
const deepOffset = 2000

/**
 * Newest first. The page is selected by the index alone, so a late page costs little more than the
 * first.
 */
export const listBuilds = async (
  db: Db,
  repoId: number,
  page: { page: number; perPage: number; ref?: string; after?: string },
): Promise<Build[]> => {
  const { ref, after } = page
  const skipped = (page.page - 1) * page.perPage
  const isFar = skipped >= deepOffset && ref === undefined && after === undefined
  const start = isFar ? await findPageStart(db, repoId, skipped) : { below: undefined, offset: skipped }
  if (!start) return []
  const { below, offset } = start
  let all = db.selectFrom('builds').select('build_id').where('build_repo_id', '=', repoId)
  if (ref !== undefined) all = all.where('build_ref', '=', ref)
  if (after !== undefined) all = all.where('build_after', '=', after)
  if (below !== undefined) all = all.where('build_number', '<', below)
  const some = all.orderBy('build_number', 'desc').limit(page.perPage).offset(offset)
  const query = db.selectFrom('builds').selectAll().where('build_id', 'in', some)
  return (await newestRows(query, builds.columns, 'build_number')).map(toBuild)
}

type BuildCells = ReturnType<typeof builds.set>
const updateVersion = prepareQuery((db, { id, version, ...cells }: BuildCells & { id: number; version: number }) =>
  db
    .updateTable('builds')
    .set({ ...cells, build_version: sql<number>`build_version + 1` })
    .where('build_id', '=', id)
    .where('build_version', '=', version)
    .returningAll(),
)

/**
 * Writes the fields that change during a build's life, if no other write happened since it was
 * read. Returns the build with its new version.
 */
export const updateBuild = async (db: Db, build: Build): Promise<Build> => {
  const { id, version } = build
  const [row] = await updateVersion(db, { ...builds.set(build), id, version })
  if (!row) throw new StaleVersionError()
  return toBuild(row)
}

/** Pending and running builds, oldest first. */
export const listUnfinishedBuilds = async (db: Db): Promise<Build[]> =>
  (
    await db
      .selectFrom('builds')
      .selectAll()
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`build_status in ('pending', 'running')`)
      .orderBy('build_id')
      .execute()
  ).map(toBuild)

const unfinishedOf = (db: Db, repoId: number) =>
  db
    .selectFrom('builds')
    .select(['build_id', 'build_status'])
    // Written literally, so that SQLite uses the partial index on exactly these.
    .where(sql<boolean>`build_status in ('pending', 'running')`)
    .where('build_repo_id', '=', repoId)
    .orderBy('build_id')

/** The ids of unfinished builds with a lower number. */
export const listUnfinishedBefore = async (db: Db, repoId: number, before: number): Promise<number[]> =>
  (await unfinishedOf(db, repoId).where('build_number', '<', before).execute()).map((row) => row.build_id)

/** Unfinished builds of the same repository, event and ref: only the running ones, or all. */
export const listSupersededBuilds = async (
  db: Db,
  build: Build,
  { running }: { running: boolean },
): Promise<number[]> =>
  (
    await unfinishedOf(db, build.repo_id)
      .where('build_id', '<', build.id)
      .where('build_event', '=', build.event)
      .where('build_ref', '=', build.ref)
      .execute()
  )
    .filter((row) => running || row.build_status !== 'running')
    .map((row) => row.build_id)

/** The number of rows that one statement deletes. */
const maxDeletedRows = 500

/**
 * Deletes a build with its stages, steps and logs, in transactions of a few hundred rows.
 * `removeLogs` is called before the rows of its steps are deleted. After a crash, a build can lack
 * some of its logs and can be deleted again, but there is never a log without a row.
 */
export const deleteBuild = async (
  db: Db,
  id: number,
  removeLogs: (steps: readonly number[]) => Promise<void>,
): Promise<void> => {
  // Deletes the rows here, because foreign keys would delete a hundred thousand rows with one
  // statement.
  for (;;) {
    const steps = await db
      .selectFrom('stages')
      .innerJoin('steps', 'step_stage_id', 'stage_id')
      .select('step_id')
      .where('stage_build_id', '=', id)
      .limit(maxDeletedRows)
      .execute()
    const ids = steps.map((row) => row.step_id)
    if (ids.length === 0) break
    await removeLogs(ids)
    await db
      .deleteFrom('steps')
      .where(sql<boolean>`step_id in (select value from json_each(${JSON.stringify(ids)}))`)
      .execute()
  }
  const some = db.selectFrom('stages').select('stage_id').where('stage_build_id', '=', id).limit(maxDeletedRows)
  for (let more = true; more;) {
    const { numDeletedRows } = await db.deleteFrom('stages').where('stage_id', 'in', some).executeTakeFirst()
    more = numDeletedRows > 0n
  }
  await deleteSentStatuses(db, id)
  await db.deleteFrom('builds').where('build_id', '=', id).execute()
}

/**
 * Deletes the builds with a lower number (docs/api §2.4), one by one, because other calls need the
 * database in the meantime. After a crash, the next call deletes what remains.
 */
export const purgeBuilds = async (
  db: Db,
  repoId: number,
  before: number,
  removeLogs: (steps: readonly number[]) => Promise<void> = async () => {},
): Promise<void> => {
  for (;;) {
    const first = await db
      .selectFrom('builds')
      .select('build_id')
      .where('build_repo_id', '=', repoId)
      .where('build_number', '<', before)
      .orderBy('build_number')
      .limit(1)
      .executeTakeFirst()
    if (!first) return
    await deleteBuild(db, first.build_id, removeLogs)
  }
}

/**
 * Saves the pipeline file of the build's commit, so that a restart and a runner need no git to read
 * it.
 */
export const saveConfig = async (
  db: Db,
  buildId: number,
  text: string,
  leftOut: readonly LeftOut[] = [],
): Promise<void> => {
  const json = leftOut.length > 0 ? JSON.stringify(leftOut) : ''
  await db
    .insertInto('configs')
    .values({ config_build_id: buildId, config_data: text, config_left_out: json })
    .execute()
}

export const findConfig = async (db: Db, buildId: number): Promise<string | null> =>
  (await db.selectFrom('configs').select('config_data').where('config_build_id', '=', buildId).executeTakeFirst())
    ?.config_data ?? null

/** The same with the pipelines that their conditions exclude. */
export const findConfigWithRest = async (
  db: Db,
  buildId: number,
): Promise<{ text: string; leftOut: LeftOut[] } | null> => {
  const row = await db.selectFrom('configs').selectAll().where('config_build_id', '=', buildId).executeTakeFirst()
  if (!row) return null
  return { text: row.config_data, leftOut: row.config_left_out ? (JSON.parse(row.config_left_out) as LeftOut[]) : [] }
}

/** The unfinished build that reruns this part of the build `parent`. */
export const findUnfinishedRerun = async (
  db: Db,
  { repoId, parent, again }: { repoId: number; parent: number; again: Again },
): Promise<Build | null> => {
  const row = await db
    .selectFrom('builds')
    .selectAll()
    .where('build_repo_id', '=', repoId)
    .where('build_parent', '=', parent)
    // Written literally, so that SQLite uses the index on copies.
    .where(sql<boolean>`build_parent <> 0`)
    .where('build_again', '=', againText(again))
    .where('build_status', 'in', ['pending', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/** Limits the chain of copies, because a script can keep restarting the newest build. */
const maxChain = 200
const maxCopies = 50

/** Builds that are copies of each other, including this one; newest first. */
export const listCopies = async (db: Db, repoId: number, number: number): Promise<Build[]> => {
  const family = sql<{ number: number }>`
    with recursive
      up (number) as (
        select cast(${number} as integer)
        union
        select build_parent from builds join up on build_number = up.number
          where build_repo_id = ${repoId} and build_parent <> 0
        limit ${sql.lit(maxChain)}
      ),
      down (number) as (
        select min(number) from up
        union
        select build_number from builds join down on build_parent = down.number
          where build_repo_id = ${repoId} and build_parent <> 0
        limit ${sql.lit(maxChain)}
      )
    select number from down union select number from up`
  const numbers = (await family.execute(db)).rows.map((row) => row.number)
  const rows = await db
    .selectFrom('builds')
    .selectAll()
    .where('build_repo_id', '=', repoId)
    .where(sql<boolean>`build_number in (select value from json_each(${JSON.stringify(numbers)}))`)
    .orderBy('build_number', 'desc')
    .limit(maxCopies)
    .execute()
  return rows.map(toBuild)
}
