import type { Db } from './open.ts'

/** The maximum number of steps of one build that are searched. */
const maxRows = 1_000

export interface SearchedStep {
  stage: { number: number; name: string }
  /** `started` is in Unix seconds. */
  step: { number: number; name: string; started: number }
  /** The step with the log: the step itself or, if it was reused, the step that ran. */
  ids: number[]
}

/**
 * Steps with one of these statuses have no log. Drone's runners set the start of a skipped step to
 * the time of the skip.
 */
const neverRan = ['skipped', 'pending', 'declined', 'blocked', 'waiting_on_dependencies'] as const

/** The steps of a build that have started, in order. */
export const listSearchedSteps = async (db: Db, buildId: number): Promise<SearchedStep[]> => {
  const rows = await db
    .selectFrom('stages')
    .innerJoin('steps', 'step_stage_id', 'stage_id')
    .select(['stage_number', 'stage_name', 'step_number', 'step_name', 'step_started', 'step_id', 'step_origin'])
    .where('stage_build_id', '=', buildId)
    .where('step_started', '>', 0)
    .where('step_status', 'not in', neverRan)
    .orderBy('stage_number')
    .orderBy('step_number')
    .limit(maxRows)
    .execute()
  return rows.map((row) => ({
    stage: { number: row.stage_number, name: row.stage_name },
    step: { number: row.step_number, name: row.step_name, started: row.step_started },
    ids: row.step_origin ? [row.step_id, row.step_origin] : [row.step_id],
  }))
}
