/** Sessions and invitations. Only the hashes of their values are stored. */
import type { User } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { toUser } from './rows.ts'
import type { SessionRow, UserRow } from './schema.ts'

export interface Session {
  id: number
  user: User
  created: number
  expires: number
  last_seen: number
}

export interface NewSession {
  hash: string
  user_id: number
  created: number
  expires: number
  /** The browser's address and user agent. */
  origin?: SessionOrigin | undefined
}

export interface SessionOrigin {
  address: string
  agent: string
}

/** A session as its owner sees it. */
export interface ListedSession extends SessionOrigin {
  id: number
  created: number
  expires: number
  last_seen: number
}

export const createSession = async (db: Db, session: NewSession): Promise<void> => {
  await db
    .insertInto('sessions')
    .values({
      session_hash: session.hash,
      session_user_id: session.user_id,
      session_created: session.created,
      session_expires: session.expires,
      session_last_seen: session.created,
      session_address: session.origin?.address ?? '',
      session_agent: session.origin?.agent ?? '',
    })
    .execute()
}

/**
 * Returns `null` if the session is unknown or has expired. Raw SQL, because each API call runs it,
 * and building the query costs more than executing it.
 */
export const findSession = async (db: Db, hash: string, now: number): Promise<Session | null> => {
  const { rows } = await sql<SessionRow & UserRow>`
    select * from sessions join users on user_id = session_user_id
    where session_hash = ${hash} and session_expires > ${now}`.execute(db)
  const row = rows[0]
  if (!row) return null
  return {
    id: row.session_id,
    user: toUser(row),
    created: row.session_created,
    expires: row.session_expires,
    last_seen: row.session_last_seen,
  }
}

export const touchSession = async (db: Db, id: number, change: { last_seen: number; expires: number }) => {
  await db
    .updateTable('sessions')
    .set({ session_last_seen: change.last_seen, session_expires: change.expires })
    .where('session_id', '=', id)
    .execute()
}

export const deleteSession = async (db: Db, hash: string): Promise<void> => {
  await db.deleteFrom('sessions').where('session_hash', '=', hash).execute()
}

/** The valid sessions of a user, last used first. */
export const listSessions = async (db: Db, userId: number, now: number): Promise<ListedSession[]> => {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('session_user_id', '=', userId)
    .where('session_expires', '>', now)
    .orderBy('session_last_seen', 'desc')
    .orderBy('session_id', 'desc')
    .limit(maxListedSessions)
    .execute()
  return rows.map((row) => ({
    id: row.session_id,
    created: row.session_created,
    expires: row.session_expires,
    last_seen: row.session_last_seen,
    address: row.session_address,
    agent: row.session_agent,
  }))
}
const maxListedSessions = 200

/** Ends one session of a user. Returns false if the user has no such session. */
export const deleteUserSession = async (db: Db, userId: number, id: number): Promise<boolean> => {
  const result = await db
    .deleteFrom('sessions')
    .where('session_user_id', '=', userId)
    .where('session_id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/**
 * Ends all sessions of a user except the one with the id `keep`; used after a change of the
 * password.
 */
export const deleteUserSessions = async (db: Db, userId: number, keepSession = 0): Promise<void> => {
  await db.deleteFrom('sessions').where('session_user_id', '=', userId).where('session_id', '!=', keepSession).execute()
}

export const deleteExpiredSessions = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('sessions').where('session_expires', '<=', now).execute()
  await db.deleteFrom('invitations').where('invitation_expires', '<=', now).execute()
}

/** Creates an invitation. Earlier invitations of the same user end. */
export const createInvitation = async (db: Db, invitation: { hash: string; user_id: number; expires: number }) => {
  await db.deleteFrom('invitations').where('invitation_user_id', '=', invitation.user_id).execute()
  await db
    .insertInto('invitations')
    .values({
      invitation_hash: invitation.hash,
      invitation_user_id: invitation.user_id,
      invitation_expires: invitation.expires,
    })
    .execute()
}

/** Used after a new password, when no invitation is needed any more. */
export const deleteInvitations = async (db: Db, userId: number): Promise<void> => {
  await db.deleteFrom('invitations').where('invitation_user_id', '=', userId).execute()
}

/** The user of the invitation. Reading does not use it up. */
export const findInvitation = async (
  db: Db,
  hash: string,
  now: number,
): Promise<{ user: User; expires: number } | null> => {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('users', 'user_id', 'invitation_user_id')
    .selectAll(['users', 'invitations'])
    .where('invitation_hash', '=', hash)
    .where('invitation_expires', '>', now)
    .executeTakeFirst()
  return row ? { user: toUser(row), expires: row.invitation_expires } : null
}

/** Uses up the invitation: returns true for exactly one caller. */
export const takeInvitation = async (db: Db, hash: string, now: number): Promise<boolean> => {
  const result = await db
    .deleteFrom('invitations')
    .where('invitation_hash', '=', hash)
    .where('invitation_expires', '>', now)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
