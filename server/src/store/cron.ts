import type { Cron } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { flag, toCron } from './rows.ts'

/** By name. */
export const listCron = async (db: Db, repoId: number): Promise<Cron[]> =>
  (await db.selectFrom('cron').selectAll().where('cron_repo_id', '=', repoId).orderBy('cron_name').execute()).map(
    toCron,
  )

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
      .values({
        cron_repo_id: cron.repo_id,
        cron_name: cron.name,
        cron_expr: cron.expr,
        cron_next: cron.next,
        cron_prev: 0,
        cron_event: 'push',
        cron_branch: cron.branch,
        cron_target: '',
        cron_disabled: 0,
        cron_created: 0,
        cron_updated: 0,
        cron_version: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/** Branch, target, disabled, next and prev. */
export const updateCron = async (db: Db, cron: Cron): Promise<Cron> =>
  toCron(
    await db
      .updateTable('cron')
      .set({
        cron_branch: cron.branch,
        cron_target: cron.target ?? '',
        cron_disabled: flag(cron.disabled),
        cron_next: cron.next,
        cron_prev: cron.prev,
      })
      .where('cron_id', '=', cron.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/** That it could not start a build, with the time and the reason; without them that it could. */
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

/** Jobs whose time is still to come. */
export const listFutureCron = async (db: Db, now: number): Promise<Cron[]> =>
  (
    await db
      .selectFrom('cron')
      .selectAll()
      // Literal, so that the partial index on exactly these is used.
      .where(sql<boolean>`cron_disabled = 0`)
      .where('cron_next', '>', now)
      .execute()
  ).map(toCron)

/** Enabled jobs of active repositories whose time has come, in the order of their times. */
export const listDueCron = async (db: Db, now: number): Promise<Cron[]> =>
  (
    await db
      .selectFrom('cron')
      .innerJoin('repos', 'repo_id', 'cron_repo_id')
      .selectAll('cron')
      // Literal, so that the partial index on exactly these is used.
      .where(sql<boolean>`cron_disabled = 0`)
      .where('cron_next', '<=', now)
      .where('repo_active', '=', 1)
      .orderBy('cron_next')
      .execute()
  ).map(toCron)
