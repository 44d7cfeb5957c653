/** The builds of a repository that meet a filter, newest first, page by page over the whole history. */
import type { Build, BuildEvent, FilteredBuilds, Status } from '@flightdeck/api'
import { sql } from 'kysely'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { toBuild } from './rows.ts'
import { builds } from './tables/builds.ts'

/** What is absent, or an empty list, does not restrict. */
export interface BuildFilter {
  branch?: string | undefined
  events: readonly BuildEvent[]
  statuses: readonly Status[]
  /** The login of the author of the commit, or of the person that started the build. */
  author?: string | undefined
  /** Part of the message, title, author, tag, environment or commit, or the number; any case. */
  text?: string | undefined
}

/**
 * Builds that one request looks through: what meets the filter may be far away, and SQLite holds the event loop. A look at the index
 * alone costs less than a look at the texts.
 */
const maxLooked = { index: 50_000, texts: 2_000 }

const inList = (values: readonly string[]) => sql`in (select value from json_each(${JSON.stringify(values)}))`

const textMatches = (text: string) => {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1]
  const parts = sql`coalesce(build_title, '') || char(10) || build_message || char(10) || build_author_login || char(10)
    || build_author_name || char(10) || build_ref || char(10) || build_deploy_to || char(10) || build_cron || char(10) || build_after`
  const isPart = sql`instr(lower(${parts}), lower(${text})) > 0`
  return number === undefined ? isPart : sql`(build_number = ${Number(number)} or ${isPart})`
}

/** `before`: only builds with a lower number, where the last answer ended. */
export const filterBuilds = async (
  db: Db,
  repoId: number,
  { filter, before, limit }: { filter: BuildFilter; before: number; limit: number },
): Promise<FilteredBuilds> => {
  const { branch, events, statuses, author, text } = filter
  const looked = text ? maxLooked.texts : maxLooked.index
  // Cross join and a named index: the order is that of the index, so that it ends at the limit.
  const some = sql`
    select build_id, build_number, build_status, build_event, build_ref, build_author_login, build_actor, build_trigger
    from builds indexed by ix_builds_filter
    where build_repo_id = ${repoId} and build_number < ${before} order by build_number desc limit ${looked}`
  const met = [
    sql`true`,
    ...(branch ? [sql`some.build_ref = ${`refs/heads/${branch}`}`] : []),
    ...(events.length > 0 ? [sql`some.build_event ${inList(events)}`] : []),
    ...(statuses.length > 0 ? [sql`some.build_status ${inList(statuses)}`] : []),
    ...(author
      ? [sql`lower(${author}) in (lower(some.build_author_login), lower(some.build_actor), lower(some.build_trigger))`]
      : []),
  ]
  const withText = text
    ? sql`and exists (select 1 from builds where builds.build_id = some.build_id and ${textMatches(text)})`
    : sql``
  const { rows } = await sql<{ id: number; number: number }>`
    select some.build_id as id, some.build_number as number from (${some}) as some
    where ${sql.join(met, sql` and `)} ${withText} limit ${limit}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const query = db
    .selectFrom('builds')
    .selectAll()
    .where(sql<boolean>`build_id in (select value from json_each(${JSON.stringify(ids)}))`)
  const items: Build[] = ids.length === 0 ? [] : (await newestRows(query, builds.columns, 'build_number')).map(toBuild)
  const next = rows.length === limit ? rows.at(-1)?.number : await endOfLook(db, repoId, { before, looked })
  return { items, ...(next !== undefined && { next }) }
}

/** The lowest number that was looked at, if there is one below it. */
const endOfLook = async (
  db: Db,
  repoId: number,
  { before, looked }: { before: number; looked: number },
): Promise<number | undefined> => {
  const { rows } = await sql<{ number: number }>`
    select build_number as number from builds indexed by ix_builds_filter
    where build_repo_id = ${repoId} and build_number < ${before}
    order by build_number desc limit 2 offset ${looked - 1}`.execute(db)
  return rows.length === 2 ? rows[0]?.number : undefined
}
