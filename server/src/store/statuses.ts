/** Commit statuses to send to the forge: the newest one of each commit and context. */
import { sql } from 'kysely'
import type { Db } from './open.ts'

export interface StoredStatus {
  id: number
  repoId: number
  buildId: number
  sha: string
  context: string
  state: string
  description: string
  url: string
  ref: string
  /** The forge's id of a deployment; `''` for a commit status. */
  deployment: string
  environment: string
  attempts: number
}

/** Stores a status. Does nothing if the same status, or one of a newer build, is stored already. */
export const putStatus = async (db: Db, status: Omit<StoredStatus, 'id' | 'attempts'>, now: number): Promise<void> => {
  await sql`insert into statuses (status_repo_id, status_build_id, status_sha, status_context, status_state,
      status_description, status_url, status_ref, status_deployment, status_environment, status_attempts, status_next,
      status_error)
    values (${status.repoId}, ${status.buildId}, ${status.sha}, ${status.context}, ${status.state}, ${status.description},
      ${status.url}, ${status.ref}, ${status.deployment}, ${status.environment}, 0, ${now}, '')
    on conflict (status_repo_id, status_sha, status_context) do update set
      status_build_id = excluded.status_build_id, status_state = excluded.status_state,
      status_description = excluded.status_description, status_url = excluded.status_url, status_ref = excluded.status_ref,
      status_deployment = excluded.status_deployment, status_environment = excluded.status_environment,
      status_attempts = 0, status_next = excluded.status_next, status_error = ''
    where excluded.status_build_id >= statuses.status_build_id
      and (excluded.status_state <> statuses.status_state or excluded.status_description <> statuses.status_description
        or excluded.status_url <> statuses.status_url)`.execute(db)
}

/** Due statuses, longest waiting first. */
export const listDueStatuses = async (db: Db, now: number, limit: number): Promise<StoredStatus[]> =>
  (
    await db
      .selectFrom('statuses')
      .selectAll()
      // Written literally, so that SQLite uses the partial index.
      .where(sql<boolean>`status_next > 0`)
      .where('status_next', '<=', now)
      .orderBy('status_next')
      .limit(limit)
      .execute()
  ).map((row) => ({
    id: row.status_id,
    repoId: row.status_repo_id,
    buildId: row.status_build_id,
    sha: row.status_sha,
    context: row.status_context,
    state: row.status_state,
    description: row.status_description,
    url: row.status_url,
    ref: row.status_ref,
    deployment: row.status_deployment,
    environment: row.status_environment,
    attempts: row.status_attempts,
  }))

/** Marks the status as sent, unless it has changed in the meantime. */
export const statusSent = async (db: Db, status: StoredStatus): Promise<void> => {
  await db
    .updateTable('statuses')
    .set({ status_next: 0, status_attempts: 0, status_error: '' })
    .where('status_id', '=', status.id)
    .where('status_state', '=', status.state)
    .where('status_description', '=', status.description)
    .execute()
}

/** Records a failed attempt; 0 as `next` means no more retries. */
export const statusFailed = async (db: Db, status: StoredStatus, next: number, error: string): Promise<void> => {
  await db
    .updateTable('statuses')
    .set({ status_next: next, status_attempts: status.attempts + 1, status_error: error })
    .where('status_id', '=', status.id)
    .where('status_state', '=', status.state)
    .where('status_description', '=', status.description)
    .execute()
}

/** Makes statuses that wait for another attempt due now. */
export const retryStatuses = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('statuses')
    .set({ status_next: now })
    .where('status_next', '>', now)
    .where('status_attempts', '>', 0)
    .execute()
}

/** Builds without a final status. Their current status is sent at the start, after a downtime. */
export const listOpenStatusBuilds = async (db: Db): Promise<number[]> =>
  (
    await db
      .selectFrom('statuses')
      .select('status_build_id')
      .distinct()
      .where('status_state', 'in', ['pending', 'running', 'blocked'])
      .where('status_build_id', '>', 0)
      .execute()
  ).map((row) => row.status_build_id)

/** Why the newest status of this repository could not be sent; `''` if it was sent. */
export const lastStatusError = async (db: Db, repoId: number): Promise<string> => {
  const query = db.selectFrom('statuses').select('status_error').where('status_repo_id', '=', repoId)
  return (await query.orderBy('status_id', 'desc').executeTakeFirst())?.status_error ?? ''
}

/** Deletes the sent statuses of a build, which are not needed after the build is deleted. */
export const deleteSentStatuses = async (db: Db, buildId: number): Promise<void> => {
  await sql`delete from statuses where status_next = 0 and status_build_id = ${buildId}
    and (status_repo_id, status_sha) in (select build_repo_id, build_after from builds where build_id = ${buildId})`.execute(
    db,
  )
}
