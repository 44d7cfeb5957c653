/** Ends the stages and steps of a build that ends early, with few statements. */
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** The number of steps in one statement: some milliseconds of work. */
const maxSteps = 500

const isOneOf = (column: string, ids: readonly number[]) =>
  sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`

/** Whether a status is final (`isDone`). */
export const isOver = (column: string) =>
  sql<boolean>`${sql.ref(column)} in ('success', 'failure', 'killed', 'error', 'skipped', 'declined')`

/**
 * `killed` by a cancel, with its exit code; or `error` with its reason, in which case only started
 * steps have an exit code.
 */
type StepEnd = { status: 'killed'; exitCode: number } | { status: 'error'; error: string; exitCode: number }

/**
 * Ends the unfinished steps of a build, or only those of some stages: started steps end as `end`
 * says, the others are skipped. The statements run without a transaction, so that others can run in
 * between. Returns the ids of these steps.
 */
export const endOpenSteps = async (
  db: Db,
  { buildId, stageIds, now }: { buildId: number; stageIds?: readonly number[]; now: number },
  end: StepEnd,
): Promise<number[]> => {
  const ended: number[] = []
  const error = 'error' in end ? sql`iif(step_started <> 0, ${end.error}, step_error)` : sql.ref('step_error')
  const code = 'error' in end ? sql`iif(step_started <> 0, ${end.exitCode}, step_exit_code)` : sql`${end.exitCode}`
  for (;;) {
    const open = db
      .selectFrom('stages')
      .innerJoin('steps', 'step_stage_id', 'stage_id')
      .select('step_id')
      .where('stage_build_id', '=', buildId)
      .where(sql<boolean>`not ${isOver('step_status')}`)
      .limit(maxSteps)
    const some = stageIds ? open.where(isOneOf('stage_id', stageIds)) : open
    const ids = (await some.execute()).map((row) => row.step_id)
    if (ids.length === 0) return ended
    await sql`update steps set step_status = iif(step_started <> 0, ${end.status}, 'skipped'), step_error = ${error},
      step_exit_code = ${code}, step_started = iif(step_started <> 0, step_started, ${now}), step_stopped = ${now},
      step_version = step_version + 1 where ${isOneOf('step_id', ids)}`.execute(db)
    ended.push(...ids)
  }
}

/**
 * Ends the unfinished stages of a build: started ones are killed, the others are skipped (docs/api
 * §5.6).
 */
export const endOpenStages = async (db: Db, buildId: number, now: number): Promise<void> => {
  await sql`update stages set stage_status = iif(stage_started <> 0, 'killed', 'skipped'),
    stage_started = iif(stage_started <> 0, stage_started, ${now}), stage_stopped = ${now}, stage_updated = ${now},
    stage_version = stage_version + 1
    where stage_build_id = ${buildId} and not ${isOver('stage_status')}`.execute(db)
}

/** Fails stages whose runner will not end them any more. */
export const failStages = async (
  db: Db,
  ids: readonly number[],
  { now, error, exitCode }: { now: number; error: string; exitCode: number },
): Promise<void> => {
  await sql`update stages set stage_status = 'error', stage_error = ${error}, stage_exit_code = ${exitCode},
    stage_started = iif(stage_started <> 0, stage_started, ${now}), stage_stopped = ${now}, stage_updated = ${now},
    stage_version = stage_version + 1 where ${isOneOf('stage_id', ids)}`.execute(db)
}

/**
 * The stages of a build that a runner has: `elsewhere` on another machine, otherwise the runner in
 * this process.
 */
export const listTaken = async (db: Db, buildId: number): Promise<{ id: number; elsewhere: boolean }[]> =>
  (
    await db
      .selectFrom('stages')
      .select(['stage_id', 'stage_remote'])
      .where('stage_build_id', '=', buildId)
      // Written literally, so that SQLite uses the partial index on open stages.
      .where(sql<boolean>`(stage_status = 'running' or (stage_status = 'pending' and stage_machine <> ''))`)
      .execute()
  ).map((row) => ({ id: row.stage_id, elsewhere: row.stage_remote === 1 }))

export interface Activity {
  /**
   * When the last stage that a runner has was started or assigned; `null` if no runner has a stage.
   */
  atWork: number | null
  /** When a stage last changed; 0 if there is no stage. */
  last: number
}

/** The last activity of the stages of a build, in Unix seconds. */
export const findActivity = async (db: Db, buildId: number): Promise<Activity> => {
  const { rows } = await sql<Activity>`
    select max(iif(stage_status = 'running' or (stage_status = 'pending' and stage_machine <> ''),
        iif(stage_started <> 0, stage_started, stage_updated), null)) as atWork,
      coalesce(max(max(stage_started, stage_stopped, stage_updated)), 0) as last
    from stages where stage_build_id = ${buildId}`.execute(db)
  return rows[0] ?? { atWork: null, last: 0 }
}
