import { sql } from 'kysely'
import type { Db } from './open.ts'

/** The figures of `/api/system/stats` and `/metrics` (docs/api §1.13, §2.10). */
export interface Counts {
  users: number
  repos: { total: number; active: number }
  builds: { total: number; pending: number; running: number }
  stages: { pending: number; running: number }
}

/** The number of builds with a stage that waits for an approval. */
export const countBlockedBuilds = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(distinct stage_build_id) as n from stages where stage_status = 'blocked'`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Since when the longest waiting stage has been pending, in Unix seconds; `null` if no stage is
 * pending.
 */
export const findOldestPending = async (db: Db): Promise<number | null> => {
  const { rows } = await sql<{ since: number | null }>`
    select min(stage_updated) as since from stages where stage_status = 'pending'`.execute(db)
  return rows[0]?.since ?? null
}

export const countAll = async (db: Db): Promise<Counts> => {
  const count = sql<number>`count(*)`.as('n')
  const users = await db.selectFrom('users').select(count).executeTakeFirstOrThrow()
  const repos = await db.selectFrom('repos').select(count).executeTakeFirstOrThrow()
  const active = await db
    .selectFrom('repos')
    .select(count)
    .where(sql<boolean>`repo_active = 1`)
    .executeTakeFirstOrThrow()
  // Uses the counts of `thousands`, because counting a million builds takes milliseconds.
  const all = await sql<{ n: number }>`select ifnull(sum(thousand_builds), 0) as n from thousands`.execute(db)
  const unfinished = await db
    .selectFrom('builds')
    .select(['build_status', count])
    .where(sql<boolean>`build_status in ('pending', 'running')`)
    .groupBy('build_status')
    .execute()
  const stages = await db
    .selectFrom('stages')
    .select(['stage_status', count])
    .where(sql<boolean>`stage_status in ('pending', 'running')`)
    .groupBy('stage_status')
    .execute()
  const of = (status: string): number => unfinished.find((row) => row.build_status === status)?.n ?? 0
  const stagesOf = (status: string): number => stages.find((row) => row.stage_status === status)?.n ?? 0
  return {
    users: users.n,
    repos: { total: repos.n, active: active.n },
    builds: { total: all.rows[0]?.n ?? 0, pending: of('pending'), running: of('running') },
    stages: { pending: stagesOf('pending'), running: stagesOf('running') },
  }
}
