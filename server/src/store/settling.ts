/**
 * What is asked each time a stage of a build ends. A build may have a thousand stages, so no question here answers them all:
 * that would be a million rows in the life of one build.
 */
import type { Status } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

// Literal, so that the partial indexes on exactly these are used.
const isOpen = sql<boolean>`stage_status in ('waiting_on_dependencies', 'blocked', 'pending', 'running', 'declined')`
const isFailed = sql<boolean>`stage_status in ('failure', 'killed', 'error')`

const stagesOf = (db: Db, buildId: number) => db.selectFrom('stages').where('stage_build_id', '=', buildId)

/** Whether a stage has one of these; without them whether the build cannot end yet, as one that was declined never does. */
export const hasOpenStage = async (
  db: Db,
  buildId: number,
  statuses?: readonly ('pending' | 'running' | 'declined')[],
): Promise<boolean> => {
  const open = stagesOf(db, buildId).select('stage_id').where(isOpen)
  const row = await (statuses ? open.where('stage_status', 'in', statuses) : open).limit(1).executeTakeFirst()
  return row !== undefined
}

/** The status of the first stage that failed; what failed in another build is a failure here, whoever ended it there. */
export const firstFailure = async (db: Db, buildId: number): Promise<Status | null> => {
  const status = sql<string>`iif(stage_taken_over = 0, stage_status, 'failure')`.as('stage_status')
  const failed = stagesOf(db, buildId).select(status).where(isFailed)
  const row = await failed.orderBy('stage_id').limit(1).executeTakeFirst()
  return (row?.stage_status ?? null) as Status | null
}

/** Whether a stage failed in this build itself. */
export const failedHere = async (db: Db, buildId: number): Promise<boolean> => {
  const failed = stagesOf(db, buildId).select('stage_id').where(isFailed).where('stage_taken_over', '=', 0)
  return (await failed.limit(1).executeTakeFirst()) !== undefined
}

/** Whether a stage ended here with this error. */
export const hasError = async (db: Db, buildId: number, error: string): Promise<boolean> =>
  (await stagesOf(db, buildId)
    .select('stage_id')
    .where('stage_error', '=', error)
    .where('stage_taken_over', '=', 0)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Which of the stages that wait for others: those that name this one, this one itself, or all. */
export type Which = { needs: string } | { id: number } | 'all'

export interface WaitingStage {
  id: number
  name: string
  /** One that it needs, itself or through others, was declined: nobody will ever run what it waits for. */
  lost: boolean
  /** All that it needs is over. */
  ready: boolean
  on_success: boolean
  on_failure: boolean
}

/** The first `count` of them after the id `after`. */
export const listWaiting = async (
  db: Db,
  buildId: number,
  which: Which,
  { after, count }: { after: number; count: number },
): Promise<WaitingStage[]> => {
  let some = stagesOf(db, buildId)
    .select(['stage_id', 'stage_name', 'stage_build_id', 'stage_depends_on', 'stage_on_success', 'stage_on_failure'])
    .where(isOpen)
    .where('stage_status', '=', 'waiting_on_dependencies')
    .where('stage_id', '>', after)
    .orderBy('stage_id')
    .limit(count)
  if (which !== 'all' && 'id' in which) some = some.where('stage_id', '=', which.id)
  // A name among others, quoted as it stands in the list.
  if (which !== 'all' && 'needs' in which) {
    some = some.where(sql<boolean>`instr(stage_depends_on, ${JSON.stringify(which.needs)}) > 0`)
  }
  const needs = sql`select 1 from json_each(iif(waiting.stage_depends_on = '', '[]', waiting.stage_depends_on)) as need
    join stages as other on other.stage_build_id = waiting.stage_build_id and other.stage_name = need.value`
  const rows = await db
    .selectFrom(some.as('waiting'))
    .select(['stage_id', 'stage_name', 'stage_on_success', 'stage_on_failure'])
    .select(sql<number>`exists (${needs} where other.stage_status = 'declined')`.as('lost'))
    .select(
      sql<number>`not exists (${needs}
        where other.stage_status in ('waiting_on_dependencies', 'blocked', 'pending', 'running'))`.as('ready'),
    )
    .execute()
  return rows.map((row) => ({
    id: row.stage_id,
    name: row.stage_name,
    lost: row.lost === 1,
    ready: row.ready === 1,
    on_success: row.stage_on_success === 1,
    on_failure: row.stage_on_failure === 1,
  }))
}
