/** Finds the build whose status a badge shows. */
import type { Build, Status } from '@flightdeck/api'
import { sql } from 'kysely'
import { findLatestBuildOfRef } from './builds.ts'
import type { Db } from './open.ts'
import { newestRows } from './many-rows.ts'
import { toBuild } from './rows.ts'
import { builds } from './tables/builds.ts'

export interface BadgeQuery {
  /** `refs/heads/main`, or with `*` for any characters. Empty means any ref. */
  ref: string
  /** Empty means any event. */
  event: string
}

/**
 * The number of builds that one badge request scans in the index. It is limited because anyone can
 * request badges.
 */
const maxScanned = 2_000
const maxStars = 5

const isPattern = (ref: string): boolean => ref.includes('*')
/** Converts to SQLite's GLOB, in which only `*` is special here. */
const globOf = (ref: string): string => ref.replaceAll(/[[?]/g, '[$&]').replaceAll(/\*+/g, '*')

/**
 * The newest build with a ref and an event; `null` if there is none. With a pattern or an event,
 * only the last 2,000 builds are searched.
 */
export async function findBadgeBuild(db: Db, repoId: number, { ref, event }: BadgeQuery): Promise<Build | null> {
  if (event === '' && !isPattern(ref)) return findLatestBuildOfRef(db, repoId, ref)
  const glob = globOf(ref)
  if (glob.split('*').length - 1 > maxStars) return null
  const conditions = [
    ...(ref === '' ? [] : [isPattern(ref) ? sql`build_ref glob ${glob}` : sql`build_ref = ${ref}`]),
    ...(event === '' ? [] : [sql`build_event = ${event}`]),
  ]
  const { rows } = await sql<{ id: number }>`
    select build_id as id from (
      select build_id, build_ref, build_event, build_number from builds indexed by ix_builds_listed
      where build_repo_id = ${repoId} order by build_created desc, build_number desc limit ${maxScanned})
    where ${sql.join(conditions, sql` and `)} order by build_number desc limit 1`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) return null
  const query = db.selectFrom('builds').selectAll().where('build_id', '=', id)
  return (await newestRows(query, builds.columns, 'build_number')).map(toBuild)[0] ?? null
}

/** The status of the stage with this name; `null` if the build has no such stage. */
export const findStageStatus = async (db: Db, buildId: number, name: string): Promise<Status | null> => {
  const row = await db
    .selectFrom('stages')
    .select('stage_status')
    .where('stage_build_id', '=', buildId)
    .where('stage_name', '=', name)
    .orderBy('stage_number')
    .limit(1)
    .executeTakeFirst()
  return (row?.stage_status as Status | undefined) ?? null
}
