/**
 * Reads the audit log, which `audit-triggers.ts` writes, by keyset, and removes entries after a
 * year.
 */
import type { AuditEntry, AuditKind, AuditPage } from '@flightdeck/api'
import { sql } from 'kysely'
import { currentActor } from '../lib/audit-context.ts'
import type { Selectable } from 'kysely'
import type { Db } from './open.ts'
import type { AuditTable } from './schema.ts'

export interface AuditFilter {
  /** The login of the user who acted, in any case. */
  user?: string | undefined
  kind?: AuditKind | undefined
  /** A part of the repository, name or action, in any case. */
  text?: string | undefined
  /** Unix seconds, both inclusive. */
  since?: number | undefined
  until?: number | undefined
}

/**
 * The number of entries that one request searches for a text. It is limited because SQLite blocks
 * the event loop.
 */
const maxScanned = 20_000

const toEntry = (row: Selectable<AuditTable>): AuditEntry => ({
  id: row.audit_id,
  time: row.audit_time,
  user: row.audit_user,
  kind: row.audit_kind as AuditKind,
  action: row.audit_action,
  target: row.audit_target,
  name: row.audit_name,
  details: detailsOf(row.audit_details),
  address: row.audit_address,
  agent: row.audit_agent,
})

/** Truncated details are not valid JSON and are returned as text. */
const detailsOf = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { cut: text }
  }
}

/** The range of ids that match the dates, because ids grow with time. */
async function idRange(db: Db, { since, until }: AuditFilter): Promise<{ from: number; to: number }> {
  const at = async (time: number): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      select audit_id as id from audit where audit_time <= ${time} order by audit_time desc, audit_id desc limit 1`.execute(
      db,
    )
    return rows[0]?.id ?? 0
  }
  return {
    from: since === undefined ? 0 : await at(since - 1),
    to: until === undefined ? Number.MAX_SAFE_INTEGER : await at(until),
  }
}

/** Newest first. `before` is the id at which the last page ended. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<AuditPage> {
  const { user, kind, text } = filter
  const { from, to } = await idRange(db, filter)
  const scanned = text ? maxScanned : limit + 1
  const conditions = [
    sql`audit_id < ${before}`,
    sql`audit_id <= ${to}`,
    sql`audit_id > ${from}`,
    ...(user ? [sql`audit_user = ${user} collate nocase`] : []),
    ...(kind ? [sql`audit_kind = ${kind}`] : []),
  ]
  const some = sql`select * from audit where ${sql.join(conditions, sql` and `)} order by audit_id desc limit ${scanned}`
  const matches = text
    ? sql`where instr(lower(audit_target || char(10) || audit_name || char(10) || audit_action), lower(${text})) > 0`
    : sql``
  const { rows } = await sql<Selectable<AuditTable>>`
    select * from (${some}) ${matches} order by audit_id desc limit ${limit + 1}`.execute(db)
  const items = rows.slice(0, limit).map(toEntry)
  if (rows.length > limit) return { items, next: rows[limit - 1]?.audit_id ?? 0 }
  const end = text ? await endOfScan(db, some, scanned) : undefined
  return { items, ...(end !== undefined && { next: end }) }
}

/** The id at which to continue, if the limit of scanned entries was reached. */
const endOfScan = async (db: Db, some: ReturnType<typeof sql>, scanned: number): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number | null; count: number }>`
    select min(audit_id) as id, count(*) as count from (${some})`.execute(db)
  return rows[0]?.count === scanned ? (rows[0].id ?? undefined) : undefined
}

/**
 * Adds one entry for a change of many rows. Does nothing without an actor, as in the server's own
 * work.
 */
export const addAuditEntry = async (
  db: Db,
  { kind, action, target, name, details }: Pick<AuditEntry, 'kind' | 'action' | 'target' | 'name' | 'details'>,
): Promise<void> => {
  const actor = currentActor()
  if (!actor) return
  await db
    .insertInto('audit')
    .values({
      audit_time: actor.time,
      audit_user_id: actor.userId,
      audit_user: actor.login,
      audit_kind: kind,
      audit_action: action,
      audit_target: target,
      audit_name: name,
      audit_details: JSON.stringify(details),
      audit_address: actor.address,
      audit_agent: actor.agent,
      audit_request: actor.request,
    })
    .execute()
}

const keptSeconds = 366 * 24 * 3600
/** Prevents users from filling the disk with entries; the oldest are removed first. */
const maxEntries = 1_000_000
const batch = 5_000

/**
 * Removes entries that are older than a year or beyond a million, oldest first, at most one batch.
 */
export const pruneAudit = async (db: Db, now: number, limits = { maxEntries, batch }): Promise<void> => {
  await sql`
    delete from audit where audit_id < (select min(audit_id) from audit) + ${limits.batch}
    and (audit_time < ${now - keptSeconds} or audit_id <= (select max(audit_id) from audit) - ${limits.maxEntries})`.execute(
    db,
  )
}
