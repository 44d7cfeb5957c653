/** The index for `…/builds/branches`, `/pulls` and `/deployments` (docs/api §1.15). */
import type { Build } from '@flightdeck/api'
import { builds } from './tables/builds.ts'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import { toBuild } from './rows.ts'
import type { LatestTable } from './schema.ts'

export type LatestKind = LatestTable['latest_kind']

/**
 * The key of a build in the index: pushes by target branch, pull requests by number, deployments by
 * environment.
 */
export const latestKey = (build: Build): { kind: LatestKind; name: string } | null => {
  if (build.event === 'push') return { kind: 'branch', name: build.target }
  if (build.event === 'promote' || build.event === 'rollback')
    return { kind: 'deployment', name: build.deploy_to ?? '' }
  // On a branch: the commit of a merge queue, which is no pull request of its own.
  if (build.event !== 'pull_request' || build.ref.startsWith('refs/heads/')) return null
  // The first sequence of digits (docs/api §5.3).
  const number = /\d+/.exec(build.ref)?.[0]
  return number === undefined ? null : { kind: 'pull', name: number }
}

export const setLatest = async (db: Db, build: Build): Promise<void> => {
  const key = latestKey(build)
  if (!key) return
  await db
    .insertInto('latest')
    .values({
      latest_repo_id: build.repo_id,
      latest_kind: key.kind,
      latest_name: key.name,
      latest_build_id: build.id,
    })
    .onConflict((conflict) =>
      conflict.columns(['latest_repo_id', 'latest_kind', 'latest_name']).doUpdateSet({ latest_build_id: build.id }),
    )
    .execute()
}

/** The newest build of one branch, pull request or environment. */
export const findLatest = async (
  db: Db,
  repoId: number,
  { kind, name }: { kind: LatestKind; name: string },
): Promise<Build | null> => {
  const row = await db
    .selectFrom('latest')
    .innerJoin('builds', 'build_id', 'latest_build_id')
    .selectAll('builds')
    .where('latest_repo_id', '=', repoId)
    .where('latest_kind', '=', kind)
    .where('latest_name', '=', name)
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/** Newest first. */
export const listLatest = (db: Db, repoId: number, kind: LatestKind): Promise<Build[]> =>
  readInParts<Build>(async (last, count) => {
    const all = db
      .selectFrom('latest')
      .select('latest_build_id')
      .where('latest_repo_id', '=', repoId)
      .where('latest_kind', '=', kind)
    const rest = last ? all.where('latest_build_id', '<', last.id) : all
    const some = rest.orderBy('latest_build_id', 'desc').limit(count)
    const query = db.selectFrom(some.as('some')).innerJoin('builds', 'build_id', 'latest_build_id').selectAll('builds')
    return (await newestRows(query, builds.columns, 'build_id')).map(toBuild)
  })

/** Deletes only the entry in the index; no error if there is none. */
export const deleteLatest = async (db: Db, repoId: number, kind: LatestKind, name: string): Promise<void> => {
  await db
    .deleteFrom('latest')
    .where('latest_repo_id', '=', repoId)
    .where('latest_kind', '=', kind)
    .where('latest_name', '=', name)
    .execute()
}
