/**
 * Data about stages that runners on other machines have; the stages themselves are in `stages.ts`.
 */
import type { Stage, Step } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { prepareQuery } from './prepared.ts'
import { toStage, toStep } from './rows.ts'

/**
 * Stored explicitly, because a runner on another machine can have the same name as the built-in
 * one.
 */
export const setRemote = async (db: Db, stageId: number, remote: boolean): Promise<void> => {
  await db
    .updateTable('stages')
    .set({ stage_remote: remote ? 1 : 0 })
    .where('stage_id', '=', stageId)
    .execute()
}

const remoteStage = prepareQuery((db, { stageId }: { stageId: number }) =>
  db.selectFrom('stages').select('stage_remote').where('stage_id', '=', stageId),
)
export const isRemote = async (db: Db, stageId: number): Promise<boolean> => {
  const [row] = await remoteStage(db, { stageId })
  return row?.stage_remote === 1
}

/** Assigned, unfinished stages, ordered by id. */
export const listRemoteStages = async (db: Db): Promise<Stage[]> =>
  (
    await db
      .selectFrom('stages')
      .selectAll()
      // Written literally, so that SQLite uses the partial index on exactly these.
      .where(sql<boolean>`stage_remote = 1 and stage_status in ('pending', 'running')`)
      .orderBy('stage_id')
      .execute()
  ).map(toStage)

/** All steps of those stages, each with whether its log is complete. */
export const listRemoteSteps = async (db: Db): Promise<{ step: Step; uploaded: boolean }[]> =>
  (
    await db
      .selectFrom('steps')
      .innerJoin('stages', 'stage_id', 'step_stage_id')
      .selectAll('steps')
      .where(sql<boolean>`stage_remote = 1 and stage_status in ('pending', 'running')`)
      .orderBy('step_id')
      .execute()
  ).map((row) => ({ step: toStep(row), uploaded: row.step_uploaded === 1 }))

const uploadedStep = prepareQuery((db, { stepId }: { stepId: number }) =>
  db.selectFrom('steps').select('step_uploaded').where('step_id', '=', stepId),
)
export const isUploaded = async (db: Db, stepId: number): Promise<boolean> => {
  const [row] = await uploadedStep(db, { stepId })
  return row?.step_uploaded === 1
}

/** Marks the logs of the finished ones of these steps as complete, so that uploads are refused. */
export const refuseLogs = async (db: Db, stepIds: readonly number[]): Promise<void> => {
  await db
    .updateTable('steps')
    .set({ step_uploaded: 1 })
    .where(sql<boolean>`step_id in (select value from json_each(${JSON.stringify(stepIds)}))`)
    .where('step_stopped', '>', 0)
    .execute()
}

export const markUploaded = async (db: Db, stepId: number): Promise<void> => {
  await db.updateTable('steps').set({ step_uploaded: 1 }).where('step_id', '=', stepId).execute()
}
