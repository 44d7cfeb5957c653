/** Reads pending stages in batches, because pushes can create tens of thousands. */
import { sql } from 'kysely'
import type { Stage } from '@flightdeck/api'
import type { Db } from './open.ts'

export interface Wanted {
  kind: string
  type: string
  /** Without it, any platform matches. */
  platform?: { os: string; arch: string }
}

export type PendingStage = Pick<Stage, 'id' | 'repo_id' | 'name' | 'os' | 'arch'> &
  Required<Pick<Stage, 'kind' | 'type' | 'variant' | 'kernel' | 'labels' | 'limit' | 'throttle'>>

// Written literally, like the statuses below, so that SQLite uses the partial indexes on exactly
// these.
const isFree = sql<boolean>`stage_status = 'pending' and stage_machine = ''`
const kind = sql<string>`iif(stage_kind = '', 'pipeline', stage_kind)`
const type = sql<string>`iif(stage_type = '', 'docker', stage_type)`

/** The first `count` unassigned stages after the id `after`, oldest first. */
export const listPending = async (db: Db, filter: Wanted, after: number, count: number): Promise<PendingStage[]> => {
  const { platform } = filter
  let query = db
    .selectFrom('stages')
    .select(['stage_id', 'stage_repo_id', 'stage_name', 'stage_os', 'stage_arch', 'stage_variant', 'stage_kernel'])
    .select(['stage_labels', 'stage_limit', 'stage_throttle'])
    .where(isFree)
    .where(kind, '=', filter.kind)
    .where(type, '=', filter.type)
    .where('stage_id', '>', after)
    .orderBy('stage_id')
    .limit(count)
  if (platform) query = query.where('stage_os', '=', platform.os).where('stage_arch', '=', platform.arch)
  return (await query.execute()).map((row) => ({
    id: row.stage_id,
    repo_id: row.stage_repo_id,
    name: row.stage_name,
    kind: filter.kind,
    type: filter.type,
    os: row.stage_os,
    arch: row.stage_arch,
    variant: row.stage_variant,
    kernel: row.stage_kernel,
    labels: row.stage_labels ? (JSON.parse(row.stage_labels) as Record<string, string>) : {},
    limit: row.stage_limit,
    throttle: row.stage_throttle,
  }))
}

export interface LiveStage extends PendingStage {
  build_id: number
  status: 'pending' | 'running'
  /** The runner that has the stage; empty if there is none. */
  machine: string
}

/**
 * Limits the length of texts that anyone with push access can choose, because the queue is read
 * often.
 */
const short = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, 250)`
/** If there are more labels than any runner has, reads only that there are some. */
const labels = sql<string>`iif(length(stage_labels) > 4000, '{"…":"…"}', stage_labels)`

/**
 * The first `count` stages after the id `after` that wait for a runner or have one, oldest first.
 */
export const listLive = async (db: Db, after: number, count: number): Promise<LiveStage[]> => {
  const rows = await db
    .selectFrom('stages')
    .select(['stage_id', 'stage_build_id', 'stage_repo_id', 'stage_status', 'stage_limit', 'stage_throttle'])
    .select([short('stage_name').as('name'), short('stage_machine').as('machine'), labels.as('labels')])
    .select([short('stage_kind').as('kind'), short('stage_type').as('type')])
    .select([short('stage_os').as('os'), short('stage_arch').as('arch')])
    .select([short('stage_variant').as('variant'), short('stage_kernel').as('kernel')])
    .where(sql<boolean>`stage_status in ('pending', 'running')`)
    .where('stage_id', '>', after)
    .orderBy('stage_id')
    .limit(count)
    .execute()
  return rows.map((row) => ({
    id: row.stage_id,
    build_id: row.stage_build_id,
    repo_id: row.stage_repo_id,
    name: row.name,
    status: row.stage_status === 'running' ? 'running' : 'pending',
    machine: row.machine,
    kind: row.kind,
    type: row.type,
    os: row.os,
    arch: row.arch,
    variant: row.variant,
    kernel: row.kernel,
    labels: row.labels ? (JSON.parse(row.labels) as Record<string, string>) : {},
    limit: row.stage_limit,
    throttle: row.stage_throttle,
  }))
}

/** Which of these builds have a stage that waits for an approval. */
export const listBlockedBuilds = async (db: Db, buildIds: readonly number[]): Promise<number[]> =>
  (
    await db
      .selectFrom('stages')
      .select('stage_build_id')
      .distinct()
      .where(sql<boolean>`stage_status = 'blocked'`)
      .where(sql<boolean>`stage_build_id in (select value from json_each(${JSON.stringify(buildIds)}))`)
      .execute()
  ).map((row) => row.stage_build_id)

/**
 * The last stage of a repository that can start within the limit on the repository's pending and
 * running stages.
 */
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

/**
 * The last pending stage with this name that can start within the concurrency limit of the name;
 * older ones start first.
 */
export const lastWithinLimit = async (db: Db, repoId: number, name: string, limit: number): Promise<number> => {
  const running = await db
    .selectFrom('stages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`stage_status = 'running'`)
    .where('stage_repo_id', '=', repoId)
    .where('stage_name', '=', name)
    .executeTakeFirstOrThrow()
  const slots = limit - running.count
  if (slots < 1) return 0
  const row = await db
    .selectFrom('stages')
    .select('stage_id')
    .where(sql<boolean>`stage_status = 'pending'`)
    .where('stage_repo_id', '=', repoId)
    .where('stage_name', '=', name)
    .orderBy('stage_id')
    .limit(1)
    .offset(slots - 1)
    .executeTakeFirst()
  return row?.stage_id ?? Infinity
}
