import type { Step } from '@flightdeck/api'
import { sql } from 'kysely'
import { insertMany, updateMany } from './bulk.ts'
import { StaleVersionError } from './errors.ts'
import type { Db } from './open.ts'
import { prepareQuery } from './prepared.ts'
import { toStep } from './rows.ts'
import { steps as columns } from './tables/steps.ts'

/** Creates the steps with version 1, in order; ignores the given `id` and `version`. */
export const createSteps = (db: Db, steps: readonly Omit<Step, 'id' | 'version'>[]): Promise<void> =>
  insertMany(
    db,
    'steps',
    steps.map((step) => columns.toRow({ ...step, version: 1 }, {})),
  )

const stepById = prepareQuery((db, { id }: { id: number }) =>
  db.selectFrom('steps').selectAll().where('step_id', '=', id),
)
export const findStep = async (db: Db, id: number): Promise<Step | null> => {
  const [row] = await stepById(db, { id })
  return row ? toStep(row) : null
}

export const findStepByNumber = async (db: Db, stageId: number, number: number): Promise<Step | null> => {
  const row = await db
    .selectFrom('steps')
    .selectAll()
    .where('step_stage_id', '=', stageId)
    .where('step_number', '=', number)
    .executeTakeFirst()
  return row ? toStep(row) : null
}

/** The number of builds of a ref in which a successful run of the step is searched. */
const maxBuilds = 50

/**
 * Where a step of a stage, both by name, last passed on a ref before a build; `null` if it did not
 * pass in the last 50 builds.
 */
export const findLastPassed = async (
  db: Db,
  step: { repoId: number; ref: string; before: number; stage: string; step: string },
): Promise<{ build: number; stage: number; step: number; id: number } | null> => {
  const builds = db
    .selectFrom('builds')
    .select(['build_id', 'build_number'])
    .where('build_repo_id', '=', step.repoId)
    .where('build_ref', '=', step.ref)
    .where('build_number', '<', step.before)
    .orderBy('build_number', 'desc')
    .limit(maxBuilds)
    .as('recent')
  const row = await db
    .selectFrom(builds)
    .innerJoin('stages', 'stage_build_id', 'build_id')
    .innerJoin('steps', 'step_stage_id', 'stage_id')
    .select(['build_number', 'stage_number', 'step_number', 'step_id'])
    .where('stage_name', '=', step.stage)
    .where('step_name', '=', step.step)
    .where('step_status', '=', 'success')
    .orderBy('build_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { build: row.build_number, stage: row.stage_number, step: row.step_number, id: row.step_id } : null
}

/** Ordered by id. */
export const listSteps = async (db: Db, stageId: number): Promise<Step[]> =>
  (await db.selectFrom('steps').selectAll().where('step_stage_id', '=', stageId).orderBy('step_id').execute()).map(
    toStep,
  )

/** How many steps a stage has, and the characters of their stored dependencies. */
export const measureSteps = async (db: Db, stageId: number): Promise<{ count: number; dependencyText: number }> =>
  db
    .selectFrom('steps')
    .select(sql<number>`count(*)`.as('count'))
    .select(sql<number>`coalesce(sum(length(step_depends_on)), 0)`.as('dependencyText'))
    .where('step_stage_id', '=', stageId)
    .executeTakeFirstOrThrow()

type StepCells = ReturnType<typeof columns.set>
const updateVersion = prepareQuery((db, { id, version, ...cells }: StepCells & { id: number; version: number }) =>
  db
    .updateTable('steps')
    .set({ ...cells, step_version: sql<number>`step_version + 1` })
    .where('step_id', '=', id)
    .where('step_version', '=', version)
    .returningAll(),
)

/**
 * Writes the step if no other write happened since it was read; otherwise throws StaleVersionError.
 * Returns the step with its new version.
 */
export const updateStep = async (db: Db, step: Step): Promise<Step> => {
  const { id, version } = step
  const [row] = await updateVersion(db, { ...columns.set(step), id, version })
  if (!row) throw new StaleVersionError()
  return toStep(row)
}

/**
 * Writes several steps under the same rule: a single outdated one refuses all. Each gets the next
 * version.
 */
export const updateSteps = async (db: Db, steps: readonly Step[]): Promise<void> => {
  const rows = steps.map((step) => ({
    ...columns.set(step),
    step_version: step.version + 1,
    id: step.id,
    version: step.version,
  }))
  const changed = await updateMany(db, 'steps', { step_id: 'id', step_version: 'version' }, rows)
  if (changed !== rows.length) throw new StaleVersionError()
}
