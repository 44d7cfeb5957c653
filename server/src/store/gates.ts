/** Whether a build waits for somebody's word. No client sees it: they look at the stages (docs/api §5.2). */
import type { BuildEvent } from '@flightdeck/api'
import type { Db } from './open.ts'
import { flag } from './rows.ts'

export interface Gate {
  /** The event of the build that this one is a copy of, over all copies; else its own. */
  origin: BuildEvent
  /** Its stages wait, save those that somebody approved. */
  gated: boolean
}

export const saveGate = async (db: Db, buildId: number, gate: Gate): Promise<void> => {
  await db
    .updateTable('builds')
    .set({ build_origin: gate.origin, build_gated: flag(gate.gated) })
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
