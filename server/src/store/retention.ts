/** How long the builds and logs of a repository are kept, and what the last run removed. */
import type { RetentionLimits, RetentionOwn, RetentionPatch } from '@flightdeck/api'
import { sql } from 'kysely'
import { isOver } from './early-ends.ts'
import type { Db } from './open.ts'

export interface StoredRetention {
  own: RetentionOwn
  /** Builds with a lower number have no logs any more. */
  logsFrom: number
  last: { at: number; builds: number; logs: number; bytes: number; error: string } | null
}

const nothing: StoredRetention = {
  own: { build_days: -1, builds: -1, log_days: -1, log_mb: -1 },
  logsFrom: 0,
  last: null,
}

export const findRetention = async (db: Db, repoId: number): Promise<StoredRetention> => {
  const row = await db.selectFrom('retention').selectAll().where('retention_repo_id', '=', repoId).executeTakeFirst()
  if (!row) return nothing
  return {
    own: {
      build_days: row.retention_build_days,
      builds: row.retention_builds,
      log_days: row.retention_log_days,
      log_mb: row.retention_log_mb,
    },
    logsFrom: row.retention_logs_from,
    last:
      row.retention_ran === 0
        ? null
        : {
            at: row.retention_ran,
            builds: row.retention_removed_builds,
            logs: row.retention_removed_logs,
            bytes: row.retention_freed_bytes,
            error: row.retention_error,
          },
  }
}

const addRow = (db: Db, repoId: number) =>
  db
    .insertInto('retention')
    .values({ retention_repo_id: repoId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const change = async (db: Db, repoId: number, changes: Record<string, number | string>): Promise<void> => {
  if (Object.keys(changes).length === 0) return
  await addRow(db, repoId)
  await db.updateTable('retention').set(changes).where('retention_repo_id', '=', repoId).execute()
}

/** Missing fields stay unchanged. */
export const saveRetention = (db: Db, repoId: number, patch: RetentionPatch): Promise<void> =>
  change(
    db,
    repoId,
    Object.fromEntries(
      Object.entries(patch).flatMap(([key, value]) => (value === undefined ? [] : [[`retention_${key}`, value]])),
    ),
  )

export const saveLogsFrom = (db: Db, repoId: number, number: number): Promise<void> =>
  change(db, repoId, { retention_logs_from: number })

export const saveRetentionRun = (db: Db, repoId: number, run: NonNullable<StoredRetention['last']>): Promise<void> =>
  change(db, repoId, {
    retention_ran: run.at,
    retention_removed_builds: run.builds,
    retention_removed_logs: run.logs,
    retention_freed_bytes: run.bytes,
    retention_error: run.error,
  })

/** Repositories with builds, ordered by id, after `after`. */
export const listReposWithBuilds = async (db: Db, after: number, limit: number): Promise<number[]> =>
  (
    await db
      .selectFrom('repos')
      .select('repo_id')
      .where('repo_id', '>', after)
      .where('repo_latest_build_id', '>', 0)
      .orderBy('repo_id')
      .limit(limit)
      .execute()
  ).map((row) => row.repo_id)

const aDay = 24 * 3600

/** The first build with this number or a higher one. */
const buildFrom = (db: Db, repoId: number, number: number) =>
  db
    .selectFrom('builds')
    .select(['build_number as number', 'build_created as created'])
    .where('build_repo_id', '=', repoId)
    .where('build_number', '>=', number)
    .orderBy('build_number')
    .limit(1)
    .executeTakeFirst()

/**
 * The number of the first build that is not older than `days`; 0 if there is none. Uses binary
 * search, because numbers and times grow together and scanning a million builds would take too
 * long. After a jump of the clock the result can be inexact, so the time of each build is checked
 * again before its removal.
 */
export const findNumberByAge = async (db: Db, repoId: number, days: number, now: number): Promise<number> => {
  const cutoff = now - days * aDay
  const newest = await db
    .selectFrom('builds')
    .select('build_number as number')
    .where('build_repo_id', '=', repoId)
    .orderBy('build_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return 0
  let [low, high] = [0, newest.number + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await buildFrom(db, repoId, middle)
    if (!found || found.created >= cutoff) high = middle
    else low = found.number + 1
  }
  return low
}

/**
 * The number of the oldest of the `count` newest builds; 0 if there are not more than `count`. Uses
 * the counts of `thousands`.
 */
export const findNumberByCount = async (db: Db, repoId: number, count: number): Promise<number> => {
  const { rows } = await sql<{ thousand: number; before: number }>`
    select thousand, before from (
      select thousand_number as thousand, thousand_builds as builds,
        sum(thousand_builds) over (order by thousand_number desc) - thousand_builds as before
      from thousands where thousand_repo_id = ${repoId}
    ) where before < ${count} and before + builds >= ${count}`.execute(db)
  const [found] = rows
  if (!found) return 0
  const row = await db
    .selectFrom('builds')
    .select('build_number')
    .where('build_repo_id', '=', repoId)
    .where('build_number', '<', (found.thousand + 1) * 1000)
    .orderBy('build_number', 'desc')
    .offset(count - found.before - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.build_number ?? 0
}

/** How many builds have numbers from `from` up to, but not including, `below`. */
export const countBuildsBetween = async (db: Db, repoId: number, from: number, below: number): Promise<number> => {
  if (below <= from) return 0
  const [first, last] = [Math.ceil(from / 1000), Math.floor(below / 1000)]
  const count = async (low: number, high: number): Promise<number> => {
    const { n } = await db
      .selectFrom('builds')
      .select(sql<number>`count(*)`.as('n'))
      .where('build_repo_id', '=', repoId)
      .where('build_number', '>=', low)
      .where('build_number', '<', high)
      .executeTakeFirstOrThrow()
    return n
  }
  if (last <= first) return count(from, below)
  const { rows } = await sql<{ n: number }>`select ifnull(sum(thousand_builds), 0) as n from thousands
    where thousand_repo_id = ${repoId} and thousand_number >= ${first} and thousand_number < ${last}`.execute(db)
  return (rows[0]?.n ?? 0) + (await count(from, first * 1000)) + (await count(last * 1000, below))
}

/**
 * The current deployment of an environment: the newest successful one (`findCurrentDeployment`).
 * Used for a row of `latest`.
 */
const currentDeployment = sql`(
  select current.build_id from builds as current
  where current.build_repo_id = latest_repo_id and current.build_deploy_to = latest_name and current.build_deploy_to <> ''
    and current.build_event in ('promote', 'rollback') and current.build_status = 'success'
  order by current.build_number desc limit 1
)`

/**
 * Whether a build is kept at any age: unfinished builds, the newest build of a branch, of an
 * environment and of the repository, and the current deployment of an environment.
 */
const isKept = sql<number>`(
  not ${isOver('build_status')}
  or exists (select 1 from latest where latest_build_id = build_id and latest_kind in ('branch', 'deployment'))
  or exists (select 1 from repos where repo_id = build_repo_id and repo_latest_build_id = build_id)
  or (build_deploy_to <> '' and exists (
    select 1 from latest where latest_repo_id = build_repo_id and latest_kind = 'deployment' and latest_name = build_deploy_to
      and build_id = ${currentDeployment}))
)`

/** How many builds with a number below `below` are kept. */
export const countKept = async (db: Db, repoId: number, below: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from builds where build_number < ${below} and build_id in (
      select latest_build_id from latest where latest_repo_id = ${repoId} and latest_kind in ('branch', 'deployment')
      union
      select ${currentDeployment} from latest where latest_repo_id = ${repoId} and latest_kind = 'deployment'
      union
      select repo_latest_build_id from repos where repo_id = ${repoId}
      union
      select build_id from builds where build_repo_id = ${repoId} and build_status in ('pending', 'running')
      union
      select build_id from stages join builds on build_id = stage_build_id
        where stage_status = 'blocked' and build_status = 'blocked' and build_repo_id = ${repoId}
    )`.execute(db)
  return rows[0]?.n ?? 0
}

export interface OldBuild {
  id: number
  number: number
  created: number
  /** Whether it can be removed. */
  removable: boolean
  /** Whether it has ended. */
  ended: boolean
}

const oldBuild = (db: Db) =>
  db
    .selectFrom('builds')
    .select([
      'build_id as id',
      'build_number as number',
      'build_created as created',
      sql<number>`not ${isKept}`.as('removable'),
      sql<number>`${isOver('build_status')}`.as('ended'),
    ])

const toOldBuild = (row: Omit<OldBuild, 'removable' | 'ended'> & { removable: number; ended: number }): OldBuild => ({
  ...row,
  removable: row.removable === 1,
  ended: row.ended === 1,
})

/** The oldest builds with numbers from `from` up to, but not including, `below`. */
export const listOldBuilds = async (
  db: Db,
  repoId: number,
  { from, below, limit }: { from: number; below: number; limit: number },
): Promise<OldBuild[]> =>
  (
    await oldBuild(db)
      .where('build_repo_id', '=', repoId)
      .where('build_number', '>=', from)
      .where('build_number', '<', below)
      .orderBy('build_number')
      .limit(limit)
      .execute()
  ).map(toOldBuild)

/** The current data of one build. */
export const findOldBuild = async (db: Db, id: number): Promise<OldBuild | null> => {
  const row = await oldBuild(db).where('build_id', '=', id).executeTakeFirst()
  return row ? toOldBuild(row) : null
}

export const listStepIds = async (db: Db, buildId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('stages')
      .innerJoin('steps', 'step_stage_id', 'stage_id')
      .select('step_id')
      .where('stage_build_id', '=', buildId)
      .execute()
  ).map((row) => row.step_id)

/** The builds of a repository, newest first, each with the ids of its steps. */
export const listBuildStepsDescending = async (
  db: Db,
  repoId: number,
  { below, from, limit }: { below: number; from: number; limit: number },
): Promise<{ number: number; steps: number[] }[]> => {
  const builds = await db
    .selectFrom('builds')
    .select(['build_id', 'build_number'])
    .where('build_repo_id', '=', repoId)
    .where('build_number', '<', below)
    .where('build_number', '>=', from)
    .orderBy('build_number', 'desc')
    .limit(limit)
    .execute()
  const found: { number: number; steps: number[] }[] = []
  for (const row of builds) found.push({ number: row.build_number, steps: await listStepIds(db, row.build_id) })
  return found
}

/**
 * The steps among these ids whose logs are not needed: the step does not exist, or the logs of its
 * build were removed.
 */
export const listExcessLogs = async (
  db: Db,
  stepIds: readonly number[],
): Promise<{ unknown: number[]; removed: number[] }> => {
  const { rows } = await sql<{ id: number; known: number; late: number }>`
    select value as id, step_id is not null as known,
      ifnull(step_stopped > 0 and build_number < retention_logs_from, 0) as late
    from json_each(${JSON.stringify(stepIds)})
      left join steps on step_id = value
      left join stages on stage_id = step_stage_id
      left join builds on build_id = stage_build_id
      left join retention on retention_repo_id = build_repo_id`.execute(db)
  return {
    unknown: rows.filter((row) => !row.known).map((row) => row.id),
    removed: rows.filter((row) => row.known && row.late).map((row) => row.id),
  }
}

const either = (own: number, byDefault: number): number => (own < 0 ? byDefault : own)

/** A repository's own limits; the server's defaults apply where it has none. */
export const limitsOf = (own: RetentionOwn, defaults: RetentionLimits): RetentionLimits => ({
  build_days: either(own.build_days, defaults.build_days),
  builds: either(own.builds, defaults.builds),
  log_days: either(own.log_days, defaults.log_days),
  log_mb: either(own.log_mb, defaults.log_mb),
})
