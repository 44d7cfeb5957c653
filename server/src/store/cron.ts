import type { Cron, CronRun } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import { toCron } from './rows.ts'
import { cron as columns } from './tables/cron.ts'

/** Ordered by name. */
export const listCron = (db: Db, repoId: number): Promise<Cron[]> =>
  readInParts(async (last, count) => {
    const rows = db.selectFrom('cron').selectAll().where('cron_repo_id', '=', repoId)
    const some = last ? rows.where('cron_name', '>', last.name) : rows
    return (await some.orderBy('cron_name').limit(count).execute()).map(toCron)
  })

/** The newest build that each job started, by job name. */
const findLastRuns = async (db: Db, repoId: number, names: readonly string[]): Promise<Map<string, CronRun>> => {
  const runs = new Map<string, CronRun>()
  for (const name of names) {
    const row = await db
      .selectFrom('builds')
      .select(['build_number', 'build_status', 'build_created'])
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`build_cron <> ''`)
      .where('build_repo_id', '=', repoId)
      .where('build_cron', '=', name)
      .orderBy('build_number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row)
      runs.set(name, {
        number: row.build_number,
        status: row.build_status as CronRun['status'],
        created: row.build_created,
      })
  }
  return runs
}

/** Returns the jobs, each with its newest build. */
export const withLastRuns = async (db: Db, repoId: number, jobs: readonly Cron[]): Promise<Cron[]> => {
  const runs = await findLastRuns(
    db,
    repoId,
    jobs.map(({ name }) => name),
  )
  return jobs.map((job) => {
    const last = runs.get(job.name)
    return last ? { ...job, last } : job
  })
}

export const countCron = async (db: Db, repoId: number): Promise<number> =>
  (
    await db
      .selectFrom('cron')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('cron_repo_id', '=', repoId)
      .executeTakeFirstOrThrow()
  ).count

/** The number of a build of this job that has not started; `null` if there is none. */
export const findWaitingCronBuild = async (db: Db, repoId: number, name: string): Promise<number | null> => {
  const row = await db
    .selectFrom('builds')
    .select('build_number')
    // Written literally, so that SQLite uses the partial index on exactly these.
    .where(sql<boolean>`build_status in ('pending', 'running')`)
    .where('build_repo_id', '=', repoId)
    .where('build_status', '=', 'pending')
    .where('build_event', '=', 'cron')
    .where('build_cron', '=', name)
    .limit(1)
    .executeTakeFirst()
  return row?.build_number ?? null
}

export const findCron = async (db: Db, repoId: number, name: string): Promise<Cron | null> => {
  const row = await db
    .selectFrom('cron')
    .selectAll()
    .where('cron_repo_id', '=', repoId)
    .where('cron_name', '=', name)
    .executeTakeFirst()
  return row ? toCron(row) : null
}

/** `created`, `updated` and `version` stay 0 (docs/api §1.8). */
export const createCron = async (
  db: Db,
  cron: { repo_id: number; name: string; expr: string; branch: string; next: number },
): Promise<Cron> =>
  toCron(
    await db
      .insertInto('cron')
      .values(
        columns.toRow({ ...cron, prev: 0, event: 'push', disabled: false, created: 0, updated: 0, version: 0 }, {}),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/** Updates the expression, branch, target, `disabled`, `next` and `prev`. */
export const updateCron = async (db: Db, cron: Cron): Promise<Cron> =>
  toCron(
    await db
      .updateTable('cron')
      .set(columns.set(cron))
      .where('cron_id', '=', cron.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/**
 * Records that the job could not start a build, with the time and the reason; without `failure`,
 * that it could.
 */
export const noteCron = async (db: Db, id: number, failure?: { at: number; error: string }): Promise<void> => {
  await db
    .updateTable('cron')
    .set({ cron_failed: failure?.at ?? 0, cron_error: failure?.error ?? '' })
    .where('cron_id', '=', id)
    .execute()
}

export const deleteCron = async (db: Db, cron: Cron): Promise<void> => {
  await db.deleteFrom('cron').where('cron_id', '=', cron.id).execute()
}

/** Jobs that are due in the future. */
export const listFutureCron = (db: Db, now: number): Promise<Cron[]> =>
  readInParts(async (last, count) => {
    const rows = await db
      .selectFrom('cron')
      .selectAll()
      .where('cron_disabled', '=', 0)
      .where('cron_next', '>', now)
      .where('cron_id', '>', last?.id ?? 0)
      .orderBy('cron_id')
      .limit(count)
      .execute()
    return rows.map(toCron)
  })

/** The first `count` enabled jobs of active repositories that are due, ordered by time. */
export const listDueCron = async (db: Db, now: number, count: number): Promise<Cron[]> =>
  (
    await db
      .selectFrom('cron')
      .innerJoin('repos', 'repo_id', 'cron_repo_id')
      .selectAll('cron')
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`cron_disabled = 0`)
      .where('cron_next', '<=', now)
      .where('repo_active', '=', 1)
      .orderBy('cron_next')
      .limit(count)
      .execute()
  ).map(toCron)
