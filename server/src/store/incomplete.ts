import { sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * One row per pending or running stage, newest build first (docs/api §1.12). Both limits are texts.
 */
export const listIncompleteStages = async (db: Db, limit = 50) => {
  const rows = await db
    .selectFrom('stages')
    .innerJoin('builds', 'build_id', 'stage_build_id')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .select(['repo_namespace', 'repo_name', 'repo_slug', 'build_number'])
    .select(['build_author_login', 'build_author_name', 'build_author_email', 'build_author_avatar', 'build_sender'])
    .select(['build_started', 'build_finished', 'build_created', 'build_updated'])
    .select(['stage_name', 'stage_kind', 'stage_type', 'stage_status', 'stage_machine', 'stage_os', 'stage_arch'])
    .select(['stage_variant', 'stage_kernel', 'stage_limit', 'stage_throttle', 'stage_started', 'stage_stopped'])
    // Written literally, so that SQLite uses the partial index on exactly these.
    .where(sql<boolean>`stage_status in ('pending', 'running')`)
    .orderBy('build_id', 'desc')
    .orderBy('stage_id')
    .limit(limit)
    .execute()
  return rows.map(({ build_author_login: author, stage_limit: own, stage_throttle: whole, ...row }) => ({
    ...row,
    build_author: author,
    stage_limit: String(own),
    stage_limit_repo: String(whole),
  }))
}
