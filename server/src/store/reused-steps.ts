/** Stages whose steps and logs belong to another build. */
import { sql } from 'kysely'
import { inTransaction, type Db } from './open.ts'

/**
 * Copies the steps of a stage, with their cards, to a stage that reuses it and has no steps yet.
 * Ids and logs stay separate.
 */
export const copyReusedSteps = (given: Db, from: number, to: number): Promise<void> =>
  inTransaction(given, async (db) => {
    const isDone = db.selectFrom('steps').select('step_id').where('step_stage_id', '=', to).limit(1)
    if (await isDone.executeTakeFirst()) return
    await sql`
    insert into steps (step_stage_id, step_number, step_name, step_status, step_error, step_errignore, step_exit_code,
      step_started, step_stopped, step_version, step_depends_on, step_image, step_detached, step_schema, step_origin)
    select ${to}, step_number, step_name, step_status, step_error, step_errignore, step_exit_code,
      step_started, step_stopped, 1, step_depends_on, step_image, step_detached, step_schema,
      iif(step_origin = 0, step_id, step_origin)
    from steps where step_stage_id = ${from} order by step_id`.execute(db)
    await sql`
    insert into cards (card_id, card_data)
    select mine.step_id, card_data from steps as mine
      join steps as theirs on theirs.step_stage_id = ${from} and theirs.step_number = mine.step_number
      join cards on card_id = theirs.step_id
    where mine.step_stage_id = ${to}`.execute(db)
  })

/** The reused steps of a build, each with the step that ran. */
export const listReusedSteps = async (db: Db, buildId: number): Promise<{ id: number; origin: number }[]> =>
  db
    .selectFrom('stages')
    .innerJoin('steps', 'step_stage_id', 'stage_id')
    .select(['step_id as id', 'step_origin as origin'])
    .where('stage_build_id', '=', buildId)
    .where('stage_taken_over', '<>', 0)
    .where('step_origin', '<>', 0)
    .execute()

/** The step that ran in place of this reused one. */
export const findOriginStep = async (db: Db, stepId: number): Promise<number | null> =>
  (await db.selectFrom('steps').select('step_origin').where('step_id', '=', stepId).executeTakeFirst())?.step_origin ||
  null

/** All steps that show the same log as this one, including itself. */
export const listStepsOfLog = async (db: Db, stepId: number): Promise<number[]> => {
  const origin = (await findOriginStep(db, stepId)) ?? stepId
  const rows = await db
    .selectFrom('steps')
    .select('step_id')
    .where('step_origin', '=', origin)
    // Written literally, so that SQLite uses the index on copies.
    .where(sql<boolean>`step_origin <> 0`)
    .execute()
  return [...new Set([stepId, origin, ...rows.map((row) => row.step_id)])]
}

/** The maximum number of names per build; more would not be read. */
const maxNames = 20

/** The names of reused stages, by the id of the build. */
export const listReusedStageNames = async (db: Db, builds: readonly number[]): Promise<Map<number, string[]>> => {
  const names = new Map<number, string[]>()
  for (const id of builds) {
    const rows = await db
      .selectFrom('stages')
      .select('stage_name')
      .where('stage_build_id', '=', id)
      .where('stage_taken_over', '<>', 0)
      .orderBy('stage_id')
      .limit(maxNames)
      .execute()
    if (rows.length > 0)
      names.set(
        id,
        rows.map((row) => row.stage_name),
      )
  }
  return names
}
