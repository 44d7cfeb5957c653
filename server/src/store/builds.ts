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

/** Version 1; the repository's latest build is this one from now on. */
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

/** The newest build on a ref (`refs/heads/main`). */
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

/** The build with its stages and their steps; `stages` is left out if it has none (docs/api §1.15). */
export const withStages = async (db: Db, build: Build): Promise<Build> => {
  const stages = await listBuildStages(db, build.id)
  return stages.length > 0 ? { ...build, stages } : build
}

interface Place {
  /** No number of it or after it is so large. */
  below: number
  /** How many smaller ones precede it. */
  offset: number
}

/** Where the builds of a repository continue after `offset` newer ones: found by thousands, since an index is walked row by row. */
const placeAfter = async (db: Db, repoId: number, offset: number): Promise<Place | null> => {
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

/** Newest first. The page is cut on the index alone, so a late one costs hardly more than the first. */
export const listBuilds = async (
  db: Db,
  repoId: number,
  page: { page: number; perPage: number; ref?: string; after?: string },
): Promise<Build[]> => {
  const { ref, after } = page
  const skipped = (page.page - 1) * page.perPage
  const isFar = skipped >= deepOffset && ref === undefined && after === undefined
  const place = isFar ? await placeAfter(db, repoId, skipped) : { below: undefined, offset: skipped }
  if (!place) return []
  const { below, offset } = place
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

/** The fields that change in a build's life, if no other write happened since it was read. Returns the build with its new version. */
export const updateBuild = async (db: Db, build: Build): Promise<Build> => {
  const { id, version } = build
  const [row] = await updateVersion(db, { ...builds.set(build), id, version })
  if (!row) throw new StaleVersionError()
  return toBuild(row)
}

/** Builds that are pending or running, oldest first. */
export const listUnfinishedBuilds = async (db: Db): Promise<Build[]> =>
  (
    await db
      .selectFrom('builds')
      .selectAll()
      // Literal, so that the partial index on exactly these is used.
      .where(sql<boolean>`build_status in ('pending', 'running')`)
      .orderBy('build_id')
      .execute()
  ).map(toBuild)

const unfinishedOf = (db: Db, repoId: number) =>
  db
    .selectFrom('builds')
    .select(['build_id', 'build_status'])
    // Literal, so that the partial index on exactly these is used.
    .where(sql<boolean>`build_status in ('pending', 'running')`)
    .where('build_repo_id', '=', repoId)
    .orderBy('build_id')

/** The ids of unfinished builds with a lower number. */
export const listUnfinishedBefore = async (db: Db, repoId: number, before: number): Promise<number[]> =>
  (await unfinishedOf(db, repoId).where('build_number', '<', before).execute()).map((row) => row.build_id)

/** Unfinished builds of the same repository, event and ref: `running`, or all. */
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

/** Rows that one statement deletes. */
const deletedAtOnce = 500

/**
 * With all that belongs to it, in transactions of a few hundred rows. `removeLogs` is called before the rows of its steps go: what a
 * crash leaves is a build without some of its logs, which can be deleted again, and never a log that nothing names.
 */
export const deleteBuild = async (
  db: Db,
  id: number,
  removeLogs: (steps: readonly number[]) => Promise<void>,
): Promise<void> => {
  // Not left to the foreign keys: they delete a hundred thousand rows with one statement.
  for (;;) {
    const steps = await db
      .selectFrom('stages')
      .innerJoin('steps', 'step_stage_id', 'stage_id')
      .select('step_id')
      .where('stage_build_id', '=', id)
      .limit(deletedAtOnce)
      .execute()
    const ids = steps.map((row) => row.step_id)
    if (ids.length === 0) break
    await removeLogs(ids)
    await db
      .deleteFrom('steps')
      .where(sql<boolean>`step_id in (select value from json_each(${JSON.stringify(ids)}))`)
      .execute()
  }
  const some = db.selectFrom('stages').select('stage_id').where('stage_build_id', '=', id).limit(deletedAtOnce)
  for (let more = true; more;) {
    const { numDeletedRows } = await db.deleteFrom('stages').where('stage_id', 'in', some).executeTakeFirst()
    more = numDeletedRows > 0n
  }
  await deleteSentStatuses(db, id)
  await db.deleteFrom('builds').where('build_id', '=', id).execute()
}

/**
 * Deletes the builds with a lower number (docs/api §2.4), one by one: other calls need the database meanwhile. What a crash leaves of
 * one is deleted by the next call.
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

/** The pipeline file as it was at the build's commit: a restart and a runner need no git for it. */
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

/** The same with the pipelines that its conditions left out. */
export const findConfigWithRest = async (
  db: Db,
  buildId: number,
): Promise<{ text: string; leftOut: LeftOut[] } | null> => {
  const row = await db.selectFrom('configs').selectAll().where('config_build_id', '=', buildId).executeTakeFirst()
  if (!row) return null
  return { text: row.config_data, leftOut: row.config_left_out ? (JSON.parse(row.config_left_out) as LeftOut[]) : [] }
}

/** The one that already runs this part of the build `parent` again. */
export const findUnfinishedRerun = async (
  db: Db,
  { repoId, parent, again }: { repoId: number; parent: number; again: Again },
): Promise<Build | null> => {
  const row = await db
    .selectFrom('builds')
    .selectAll()
    .where('build_repo_id', '=', repoId)
    .where('build_parent', '=', parent)
    // So that the index on copies is used.
    .where(sql<boolean>`build_parent <> 0`)
    .where('build_again', '=', againText(again))
    .where('build_status', 'in', ['pending', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/** A script that restarts the newest build again and again makes a chain without end. */
const maxChain = 200
const maxCopies = 50

/** The builds that are copies of one another, this one among them; the newest first. */
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
