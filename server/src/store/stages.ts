import type { Stage, Step } from '@flightdeck/api'
import { sql } from 'kysely'
import { insertMany } from './bulk.ts'
import { StaleVersionError } from './errors.ts'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import { prepareQuery } from './prepared.ts'
import { toStage, toStep, toReportedStage } from './rows.ts'
import type { StageRow, StepRow } from './schema.ts'
import { stages } from './tables/stages.ts'

/** A stage before it has an id. */
export type NewStage = Omit<Stage, 'id' | 'version' | 'steps'>

const newRow = (stage: NewStage) => stages.toRow({ ...stage, version: 1 }, { left_out: stage.left_out })

export const createStage = async (db: Db, stage: NewStage): Promise<Stage> =>
  toStage(await db.insertInto('stages').values(newRow(stage)).returningAll().executeTakeFirstOrThrow())

/** Creates all stages of a build, in order. */
export const createStages = (db: Db, all: readonly NewStage[]): Promise<void> =>
  insertMany(db, 'stages', all.map(newRow))

const stageById = prepareQuery((db, { id }: { id: number }) =>
  db.selectFrom('stages').selectAll().where('stage_id', '=', id),
)
export const findStage = async (db: Db, id: number): Promise<Stage | null> => {
  const [row] = await stageById(db, { id })
  return row ? toStage(row) : null
}

const buildOfStage = prepareQuery((db, { id }: { id: number }) =>
  db.selectFrom('stages').select('stage_build_id').where('stage_id', '=', id),
)
/**
 * The build id of a stage. Callers that need nothing else avoid copying the thirty cells of a row.
 */
export const findBuildOfStage = async (db: Db, id: number): Promise<number | null> =>
  (await buildOfStage(db, { id }))[0]?.stage_build_id ?? null

export const findStageByNumber = async (db: Db, buildId: number, number: number): Promise<Stage | null> => {
  const row = await db
    .selectFrom('stages')
    .selectAll()
    .where('stage_build_id', '=', buildId)
    .where('stage_number', '=', number)
    .executeTakeFirst()
  return row ? toStage(row) : null
}

const stagesAfter = prepareQuery((db, part: { buildId: number; after: number; count: number }) =>
  db
    .selectFrom('stages')
    .selectAll()
    .where('stage_build_id', '=', part.buildId)
    .where('stage_id', '>', part.after)
    .orderBy('stage_id')
    .limit(part.count),
)
const readStages = (db: Db, buildId: number, read: (row: StageRow) => Stage): Promise<Stage[]> =>
  readInParts(async (last, count) => (await stagesAfter(db, { buildId, after: last?.id ?? 0, count })).map(read))

/** Ordered by id, without steps. */
export const listStages = (db: Db, buildId: number): Promise<Stage[]> => readStages(db, buildId, toStage)

const stepsAfter = prepareQuery((db, part: { buildId: number; stage: number; step: number; count: number }) =>
  db
    .selectFrom('stages')
    .innerJoin('steps', 'step_stage_id', 'stage_id')
    .selectAll('steps')
    .select('stage_number')
    .where('stage_build_id', '=', part.buildId)
    // The first condition uses the index, the second one selects the row.
    .where('stage_number', '>=', part.stage)
    .where(sql<boolean>`(stage_number > ${part.stage} or step_number > ${part.step})`)
    .orderBy('stage_number')
    .orderBy('step_number')
    .limit(part.count),
)
/** All steps of a build, ordered by stage and number. */
const listBuildSteps = (db: Db, buildId: number) =>
  readInParts<StepRow & { stage_number: number }>((last, count) =>
    stepsAfter(db, { buildId, stage: last?.stage_number ?? 0, step: last?.step_number ?? 0, count }),
  )

/** Ordered by id, each with its steps ordered by id; `steps` is omitted if there are none. */
export const listBuildStages = async (db: Db, buildId: number): Promise<Stage[]> => {
  const all = await readStages(db, buildId, toReportedStage)
  const rows = await listBuildSteps(db, buildId)
  const byStage = new Map<number, Step[]>()
  for (const row of rows) {
    const steps = byStage.get(row.step_stage_id)
    if (steps) steps.push(toStep(row))
    else byStage.set(row.step_stage_id, [toStep(row)])
  }
  return all.map((stage) => {
    const steps = byStage.get(stage.id)
    return steps ? { ...stage, steps: steps.toSorted((a, b) => a.id - b.id) } : stage
  })
}

/**
 * Pending and running stages of all builds, ordered by id (docs/api §2.8). Blocked and waiting
 * stages are not in the queue.
 */
export const listQueue = (db: Db): Promise<Stage[]> =>
  readInParts(async (last, count) => {
    const rows = await db
      .selectFrom('stages')
      .selectAll()
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`stage_status in ('pending', 'running')`)
      .where('stage_id', '>', last?.id ?? 0)
      .orderBy('stage_id')
      .limit(count)
      .execute()
    return rows.map(toStage)
  })

type StageCells = ReturnType<typeof stages.set>
const updateVersion = prepareQuery((db, { id, version, ...cells }: StageCells & { id: number; version: number }) =>
  db
    .updateTable('stages')
    .set({ ...cells, stage_version: sql<number>`stage_version + 1` })
    .where('stage_id', '=', id)
    .where('stage_version', '=', version)
    .returningAll(),
)

/**
 * Writes the fields that can change, if no other write happened since the stage was read; otherwise
 * throws StaleVersionError. Returns the stage with its new version.
 */
export const updateStage = async (db: Db, stage: Stage): Promise<Stage> => {
  const { id, version } = stage
  const [row] = await updateVersion(db, { ...stages.set(stage), id, version })
  if (!row) throw new StaleVersionError()
  return toStage(row)
}
