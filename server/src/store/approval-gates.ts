/**
 * Whether a build waits for an approval. Clients see it only in the status of the stages (docs/api
 * §5.2).
 */
import type { BuildEvent } from '@flightdeck/api'
import type { Db } from './open.ts'
import { flagCell } from './table.ts'

export interface Gate {
  /** The event of the first build that this one is a copy of, or its own event. */
  origin: BuildEvent
  /** Whether its stages wait for approval, except the approved ones. */
  gated: boolean
}

export const saveGate = async (db: Db, buildId: number, gate: Gate): Promise<void> => {
  await db
    .updateTable('builds')
    .set({ build_origin: gate.origin, build_gated: flagCell(gate.gated) })
    .where('build_id', '=', buildId)
    .execute()
}

export const findGate = async (db: Db, buildId: number): Promise<Gate | null> => {
  const row = await db
    .selectFrom('builds')
    .select(['build_origin', 'build_gated'])
    .where('build_id', '=', buildId)
    .executeTakeFirst()
  return row ? { origin: row.build_origin as BuildEvent, gated: row.build_gated === 1 } : null
}

export interface Approval {
  name: string
  approved: number
  approved_by: string
}

/**
 * The approved stages in builds of this commit, branch and pipeline file. The last decision for
 * each name counts.
 */
export const listApproved = async (
  db: Db,
  { repoId, sha, ref, config }: { repoId: number; sha: string; ref: string; config: string },
): Promise<Approval[]> =>
  (
    await db
      .selectFrom('builds')
      .innerJoin('configs', 'config_build_id', 'build_id')
      .innerJoin('stages', 'stage_build_id', 'build_id')
      .select(['stage_name', 'stage_approved', 'stage_approved_by'])
      .where('build_repo_id', '=', repoId)
      .where('build_after', '=', sha)
      .where('build_ref', '=', ref)
      .where('build_event', 'in', ['push', 'cron', 'custom'])
      .where('stage_approved', '>', 0)
      .where('config_data', '=', config)
      .orderBy('build_number')
      .orderBy('stage_id')
      .execute()
  ).map((row) => ({ name: row.stage_name, approved: row.stage_approved, approved_by: row.stage_approved_by }))

/**
 * The pipeline file of the newest earlier build with an approved stage. `before` is the id of a
 * build.
 */
export const findLastApproved = async (
  db: Db,
  repoId: number,
  before: number,
): Promise<{ number: number; text: string } | null> => {
  const newest = db
    .selectFrom('stages')
    .select('stage_build_id')
    .where('stage_repo_id', '=', repoId)
    .where('stage_build_id', '<', before)
    // The condition of the partial index.
    .where('stage_approved', '>', 0)
    .where('stage_build_id', 'in', db.selectFrom('configs').select('config_build_id'))
    .orderBy('stage_build_id', 'desc')
    .limit(1)
  const row = await db
    .selectFrom('builds')
    .innerJoin('configs', 'config_build_id', 'build_id')
    .select(['build_number', 'config_data'])
    .where('build_id', '=', newest)
    .executeTakeFirst()
  return row ? { number: row.build_number, text: row.config_data } : null
}
