/**
 * Links to the wall, for screens without an account. Only the hashes of their values are stored.
 */
import type { Repo, User, WallLink } from '@flightdeck/api'
import { sql, type Selectable } from 'kysely'
import type { Db } from './open.ts'
import { listReposWithLatest } from './repo-lists.ts'
import { toUser } from './rows.ts'
import type { WallLinksTable } from './schema.ts'
import { visibleRepos } from './visibility.ts'

export interface NewWallLink {
  userId: number
  hash: string
  name: string
  repoIds: readonly number[]
  created: number
  /** Unix seconds; 0 means never. */
  expires: number
}

/** A link that is currently valid. */
export interface GoodWallLink {
  id: number
  hash: string
  name: string
  expires: number
  last_used: number
  /** The current data of the user who created it. */
  user: User
  repoIds: number[]
}

const idsOf = (row: Pick<Selectable<WallLinksTable>, 'wall_link_repos'>): number[] =>
  JSON.parse(row.wall_link_repos) as number[]

/** Those of the repositories that the user can currently read. */
export const readableOf = async (db: Db, user: User, ids: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select repo_id as id from repos
    where repo_id in (select value from json_each(${JSON.stringify(ids)})) and repo_id in (${visibleRepos(user)})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const slugsOf = async (db: Db, ids: readonly number[]): Promise<string[]> => {
  const { rows } = await sql<{ slug: string }>`
    select repo_slug as slug from repos where repo_id in (select value from json_each(${JSON.stringify(ids)}))
    order by repo_slug`.execute(db)
  return rows.map(({ slug }) => slug)
}

/** The ids of the repositories with these slugs that the user can read. */
export const readableBySlugs = async (db: Db, user: User, slugs: readonly string[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select repo_id as id from repos
    where repo_slug in (select value from json_each(${JSON.stringify(slugs)})) and repo_id in (${visibleRepos(user)})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const toWallLink = async (db: Db, user: User, row: Selectable<WallLinksTable>): Promise<WallLink> => ({
  id: row.wall_link_id,
  name: row.wall_link_name,
  created: row.wall_link_created,
  expires: row.wall_link_expires,
  last_used: row.wall_link_last_used,
  repos: await slugsOf(db, await readableOf(db, user, idsOf(row))),
})

export const createWallLink = async (db: Db, user: User, link: NewWallLink): Promise<WallLink> => {
  const row = await db
    .insertInto('wall_links')
    .values({
      wall_link_user_id: link.userId,
      wall_link_hash: link.hash,
      wall_link_name: link.name,
      wall_link_repos: JSON.stringify(link.repoIds),
      wall_link_created: link.created,
      wall_link_expires: link.expires,
      wall_link_last_used: 0,
      wall_link_expired: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toWallLink(db, user, row)
}

/** Newest first, including expired links. */
export const listWallLinks = async (db: Db, user: User): Promise<WallLink[]> => {
  const rows = await db
    .selectFrom('wall_links')
    .selectAll()
    .where('wall_link_user_id', '=', user.id)
    .orderBy('wall_link_id', 'desc')
    .execute()
  return Promise.all(rows.map((row) => toWallLink(db, user, row)))
}

/**
 * Finds a link by its hash or id; `null` if it is unknown, has expired, or its creator is disabled.
 */
export const findWallLink = async (
  db: Db,
  by: { hash: string } | { id: number },
  now: number,
): Promise<GoodWallLink | null> => {
  const row = await db
    .selectFrom('wall_links')
    .innerJoin('users', 'user_id', 'wall_link_user_id')
    .selectAll(['wall_links', 'users'])
    .$if('hash' in by, (query) => query.where('wall_link_hash', '=', 'hash' in by ? by.hash : ''))
    .$if('id' in by, (query) => query.where('wall_link_id', '=', 'id' in by ? by.id : 0))
    .where('user_active', '=', 1)
    .where((eb) => eb.or([eb('wall_link_expires', '=', 0), eb('wall_link_expires', '>', now)]))
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.wall_link_id,
    hash: row.wall_link_hash,
    name: row.wall_link_name,
    expires: row.wall_link_expires,
    last_used: row.wall_link_last_used,
    user: toUser(row),
    repoIds: idsOf(row),
  }
}

/** The repositories, each with its newest build. */
export const listWallRepos = (db: Db, ids: readonly number[]): Promise<Repo[]> => listReposWithLatest(db, ids)

export const touchWallLink = async (db: Db, id: number, now: number): Promise<void> => {
  await db.updateTable('wall_links').set({ wall_link_last_used: now }).where('wall_link_id', '=', id).execute()
}

/** Returns false if the user has no such link. */
export const deleteWallLink = async (db: Db, userId: number, id: number): Promise<boolean> => {
  const result = await db
    .deleteFrom('wall_links')
    .where('wall_link_user_id', '=', userId)
    .where('wall_link_id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** How long an expired link is listed for its creator. */
const listedSeconds = 30 * 24 * 3600

/**
 * Marks links that have expired, which ends open walls, and removes those that expired long ago.
 */
export const expireWallLinks = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('wall_links')
    .set({ wall_link_expired: 1 })
    .where('wall_link_expired', '=', 0)
    .where('wall_link_expires', '>', 0)
    .where('wall_link_expires', '<=', now)
    .execute()
  await db
    .deleteFrom('wall_links')
    .where('wall_link_expired', '=', 1)
    .where('wall_link_expires', '<=', now - listedSeconds)
    .execute()
}
