/**
 * The stage graph of a build, as needed when a stage ends. It is read and written with one
 * statement each.
 */
import type { Status } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

// Written literally, so that SQLite uses the partial index on exactly these.
const isOpen = sql<boolean>`stage_status in ('waiting_on_dependencies', 'blocked', 'pending', 'running', 'declined')`

/** Whether a stage has one of these statuses. */
export const hasOpenStage = async (
  db: Db,
  buildId: number,
  statuses: readonly ('pending' | 'running' | 'declined')[],
): Promise<boolean> => {
  const open = db.selectFrom('stages').select('stage_id').where('stage_build_id', '=', buildId).where(isOpen)
  return (await open.where('stage_status', 'in', statuses).limit(1).executeTakeFirst()) !== undefined
}

export interface StageNode {
  readonly id: number
  readonly name: string
  status: Status
  /** The stages that it waits for; empty if it does not wait. */
  readonly needs: readonly string[]
  readonly onSuccess: boolean
  readonly onFailure: boolean
  /** It ran in another build. */
  readonly isReused: boolean
  /** It ended with the given error. */
  readonly hasError: boolean
}

type Cells = [number, string, Status, string[], number, number, number, number]

/**
 * The stages of a build by id that wait, run or failed. `error` is the error that `hasError`
 * reports.
 */
export const readGraph = async (db: Db, buildId: number, error: string): Promise<StageNode[]> => {
  const {
    rows: [row],
  } = await sql<{ list: string }>`
    select json_group_array(json_array(stage_id, stage_name, stage_status,
      json(iif(stage_status = 'waiting_on_dependencies' and stage_depends_on <> '', stage_depends_on, '[]')),
      stage_on_success, stage_on_failure, stage_taken_over, stage_error = ${error}) order by stage_id) as list
    from stages where stage_build_id = ${buildId} and stage_status not in ('success', 'skipped')`.execute(db)
  return (JSON.parse(row?.list ?? '[]') as Cells[]).map(
    ([id, name, status, needs, onSuccess, onFailure, reused, hasError]) => ({
      id,
      name,
      status,
      needs,
      onSuccess: onSuccess === 1,
      onFailure: onFailure === 1,
      isReused: reused !== 0,
      hasError: hasError === 1,
    }),
  )
}

const isOneOf = (ids: readonly number[]) =>
  sql<boolean>`stage_id in (select value from json_each(${JSON.stringify(ids)}))`

/** Ends stages that have not started as skipped. */
export const skipStages = async (db: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  await sql`update stages set stage_status = 'skipped', stage_started = ${now}, stage_stopped = ${now},
    stage_updated = ${now}, stage_version = stage_version + 1 where ${isOneOf(ids)}`.execute(db)
}

/** Lets stages wait only for a runner. */
export const releaseStages = async (db: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  await sql`update stages set stage_status = 'pending', stage_updated = ${now}, stage_version = stage_version + 1
    where ${isOneOf(ids)}`.execute(db)
}

/** Declines stages in the name of a user with the permission to approve. */
export const declineStages = async (
  db: Db,
  ids: readonly number[],
  { by, now }: { by: string; now: number },
): Promise<void> => {
  await sql`update stages set stage_status = 'declined', stage_declined = ${now}, stage_declined_by = ${by},
    stage_updated = ${now}, stage_version = stage_version + 1 where ${isOneOf(ids)}`.execute(db)
}
