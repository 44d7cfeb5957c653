/** Finds the builds that webhooks of the forge refer to. */
import type { Build } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { toBuild } from './rows.ts'

/** Whether this change of a ref has been built, by commit, ref and event. */
export const findBuildOfEvent = async (
  db: Db,
  { repoId, event, ref, after }: { repoId: number; event: string; ref: string; after: string },
): Promise<boolean> =>
  (await db
    .selectFrom('builds')
    .select('build_id')
    .where('build_repo_id', '=', repoId)
    .where('build_after', '=', after)
    .where('build_event', '=', event)
    .where('build_ref', '=', ref)
    .executeTakeFirst()) !== undefined

/** The newest build of a pull request. */
export const findPullBuild = async (db: Db, repoId: number, number: number): Promise<Build | null> => {
  const row = await db
    .selectFrom('latest')
    .innerJoin('builds', 'build_id', 'latest_build_id')
    .selectAll('builds')
    .where('latest_repo_id', '=', repoId)
    .where('latest_kind', '=', 'pull')
    .where('latest_name', '=', String(number))
    .executeTakeFirst()
  return row ? toBuild(row) : null
}

/** Builds of a ref that have not started. */
export const listWaitingOfRef = async (db: Db, repoId: number, ref: string): Promise<number[]> =>
  (
    await db
      .selectFrom('builds')
      .select('build_id')
      // Written literally, so that SQLite uses the partial index.
      .where(sql<boolean>`build_status in ('pending', 'running')`)
      .where('build_status', '=', 'pending')
      .where('build_repo_id', '=', repoId)
      .where('build_event', '=', 'pull_request')
      .where('build_ref', '=', ref)
      .execute()
  ).map((row) => row.build_id)
