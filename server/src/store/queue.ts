/** What waits for a runner, read in slices: whoever may push can make tens of thousands wait. */
import { sql } from 'kysely'
import type { Stage } from '@flightdeck/api'
import type { Db } from './open.ts'

export interface Wanted {
  kind: string
  type: string
  /** Without it any will do. */
  platform?: { os: string; arch: string }
}

export type PendingStage = Pick<Stage, 'id' | 'repo_id' | 'name' | 'os' | 'arch'> &
  Required<Pick<Stage, 'kind' | 'type' | 'variant' | 'kernel' | 'labels' | 'limit' | 'throttle'>>

// Literal, as are the statuses below, so that the partial indexes on exactly these are used.
const isFree = sql<boolean>`stage_status = 'pending' and stage_machine = ''`
const kind = sql<string>`iif(stage_kind = '', 'pipeline', stage_kind)`
const type = sql<string>`iif(stage_type = '', 'docker', stage_type)`

/** The first `count` stages after the id `after` that nobody has, oldest first. */
export const listPending = async (db: Db, wanted: Wanted, after: number, count: number): Promise<PendingStage[]> => {
  const { platform } = wanted
  let query = db
    .selectFrom('stages')
    .select(['stage_id', 'stage_repo_id', 'stage_name', 'stage_os', 'stage_arch', 'stage_variant', 'stage_kernel'])
    .select(['stage_labels', 'stage_limit', 'stage_throttle'])
    .where(isFree)
    .where(kind, '=', wanted.kind)
    .where(type, '=', wanted.type)
    .where('stage_id', '>', after)
    .orderBy('stage_id')
    .limit(count)
  if (platform) query = query.where('stage_os', '=', platform.os).where('stage_arch', '=', platform.arch)
  return (await query.execute()).map((row) => ({
    id: row.stage_id,
    repo_id: row.stage_repo_id,
    name: row.stage_name,
    kind: wanted.kind,
    type: wanted.type,
    os: row.stage_os,
    arch: row.stage_arch,
    variant: row.stage_variant,
    kernel: row.stage_kernel,
    labels: row.stage_labels ? (JSON.parse(row.stage_labels) as Record<string, string>) : {},
    limit: row.stage_limit,
    throttle: row.stage_throttle,
  }))
}

/** The last stage of a repository that may start if only so many of its stages may be pending or running at once. */
export const lastWithinThrottle = async (db: Db, repoId: number, throttle: number): Promise<number> => {
  if (throttle < 1) return 0
  const row = await db
    .selectFrom('stages')
    .select('stage_id')
    .where(sql<boolean>`stage_status in ('pending', 'running')`)
    .where('stage_repo_id', '=', repoId)
    .orderBy('stage_id')
    .limit(1)
    .offset(throttle - 1)
    .executeTakeFirst()
  return row?.stage_id ?? Infinity
}

/** The last pending stage of this name that may start if only so many of the name may run at once, older ones first. */
export const lastWithinLimit = async (db: Db, repoId: number, name: string, limit: number): Promise<number> => {
  const running = await db
    .selectFrom('stages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`stage_status = 'running'`)
    .where('stage_repo_id', '=', repoId)
    .where('stage_name', '=', name)
    .executeTakeFirstOrThrow()
  const places = limit - running.count
  if (places < 1) return 0
  const row = await db
    .selectFrom('stages')
    .select('stage_id')
    .where(sql<boolean>`stage_status = 'pending'`)
    .where('stage_repo_id', '=', repoId)
    .where('stage_name', '=', name)
    .orderBy('stage_id')
    .limit(1)
    .offset(places - 1)
    .executeTakeFirst()
  return row?.stage_id ?? Infinity
}
