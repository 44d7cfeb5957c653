import type { QueueItem } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * Running stages, then waiting ones, oldest first, with their repositories and builds, and the
 * total number.
 */
export const listQueueItems = async (db: Db, maxItems: number): Promise<{ items: QueueItem[]; total: number }> => {
  // Written literally, so that SQLite uses the partial index on exactly these.
  const isLive = sql<boolean>`stage_status in ('pending', 'running')`
  const rows = await db
    .selectFrom('stages')
    .innerJoin('builds', 'build_id', 'stage_build_id')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .select(['stage_id', 'stage_number', 'stage_status', 'stage_machine', 'stage_created'])
    // Limited, because anyone with push access can choose a name of any length.
    .select(sql<string>`substr(stage_name, 1, 250)`.as('stage_name'))
    .select(['stage_started', 'repo_namespace', 'repo_name', 'build_number'])
    .where(isLive)
    .orderBy(sql`stage_status = 'pending'`)
    .orderBy('stage_id')
    .limit(maxItems)
    .execute()
  const { total } = await db
    .selectFrom('stages')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(isLive)
    .executeTakeFirstOrThrow()
  const items = rows.map((row) => ({
    stage_id: row.stage_id,
    namespace: row.repo_namespace,
    name: row.repo_name,
    build: row.build_number,
    stage: row.stage_number,
    stage_name: row.stage_name,
    status: row.stage_status === 'running' ? ('running' as const) : ('pending' as const),
    machine: row.stage_machine,
    created: row.stage_created,
    started: row.stage_started,
  }))
  return { items, total }
}
