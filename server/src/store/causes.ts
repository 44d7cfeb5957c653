/** Why steps failed, found in their complete logs. */
import type { BuildCause, Status } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** A step that has ended, with the data for searching its log. */
export interface EndedStep {
  id: number
  status: Status
  exitCode: number
  stage: string
  step: string
  buildId: number
  repoId: number
  ref: string
  number: number
  defaultBranch: string
}

export const findEndedStep = async (db: Db, id: number): Promise<EndedStep | null> => {
  const row = await db
    .selectFrom('steps')
    .innerJoin('stages', 'stage_id', 'step_stage_id')
    .innerJoin('builds', 'build_id', 'stage_build_id')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .select([
      'step_status',
      'step_exit_code as exitCode',
      'stage_name as stage',
      'step_name as step',
      'build_id as buildId',
      'build_repo_id as repoId',
      'build_ref as ref',
      'build_number as number',
      'repo_default_branch as defaultBranch',
    ])
    .where('step_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { step_status: status, ...step } = row
  return { ...step, id, status: status as Status }
}

export const hasCause = async (db: Db, stepId: number): Promise<boolean> =>
  (await db.selectFrom('causes').select('cause_step_id').where('cause_step_id', '=', stepId).executeTakeFirst()) !==
  undefined

/**
 * Sets the cause of a build in lists: the cause of the step that failed first, as on the build's
 * page. Steps that may fail without failing the build do not count. A reused stage failed in its
 * own build. Returns whether something changed.
 */
export const updateCause = async (db: Db, buildId: number): Promise<boolean> => {
  const { rows } = await sql<BuildCause>`
    select stage_number as stage, step_number as step, stage_name, step_name, cause_line as line, cause_text as text
    from stages join steps on step_stage_id = stage_id
      join causes on cause_step_id = iif(step_origin = 0, step_id, step_origin)
    where stage_build_id = ${buildId} and step_status in ('failure', 'error') and step_errignore = 0 and stage_errignore = 0
    order by iif(step_stopped > 0, 0, 1), step_stopped, stage_number, step_number limit 1`.execute(db)
  const cause = rows[0] ? JSON.stringify(rows[0]) : ''
  const { numUpdatedRows } = await db
    .updateTable('builds')
    .set({ build_cause: cause })
    .where('build_id', '=', buildId)
    .where('build_cause', '<>', cause)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const saveCause = async (
  db: Db,
  step: EndedStep,
  { line, text, print }: { line: number; text: string; print: string },
  now: number,
): Promise<void> => {
  await db
    .insertInto('causes')
    .values({
      cause_step_id: step.id,
      cause_build_id: step.buildId,
      cause_repo_id: step.repoId,
      cause_created: now,
      cause_line: line,
      cause_text: text,
      cause_print: print,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await updateCause(db, step.buildId)
}

export const listBuildsOfSteps = async (db: Db, steps: readonly number[]): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select distinct stage_build_id as id from steps join stages on stage_id = step_stage_id
      where step_id in (select value from json_each(${JSON.stringify(steps)}))`.execute(db)
  ).rows.map(({ id }) => id)

/**
 * Deletes the causes of these steps, whose logs were deleted. Returns whether the build's cause
 * changed.
 */
export const deleteCauses = async (db: Db, buildId: number, steps: readonly number[]): Promise<boolean> => {
  await sql`delete from causes where cause_step_id in (select value from json_each(${JSON.stringify(steps)}))`.execute(
    db,
  )
  return updateCause(db, buildId)
}
