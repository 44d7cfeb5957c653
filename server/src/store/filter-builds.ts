/**
 * The builds of a repository that match a filter, newest first, page by page over the whole
 * history.
 */
import { neverRanStatuses, type Build, type BuildEvent, type FilteredBuilds, type Status } from '@flightdeck/api'
import { sql, type RawBuilder } from 'kysely'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { toBuild } from './rows.ts'
import { builds } from './tables/builds.ts'

/** A missing filter, or an empty list, does not restrict the result. */
export interface BuildFilter {
  branch?: string | undefined
  events: readonly BuildEvent[]
  statuses: readonly Status[]
  /** The login of the author of the commit, or of the user who started the build. */
  author?: string | undefined
  /** Like `author`, for a second login; both must match. */
  person?: string | undefined
  environment?: string | undefined
  /**
   * A part of the message, title, author, tag, environment or commit, or the number, in any case.
   */
  text?: string | undefined
  /** Created at this time or later, in Unix seconds. */
  since?: number | undefined
  /** Created before this time, in Unix seconds. */
  until?: number | undefined
  /** Took more than this many seconds. A running build counts with its time so far. */
  longer?: number | undefined
  /** Took less than this many seconds. Only finished builds match. */
  shorter?: number | undefined
}

interface FilterScan {
  filter: BuildFilter
  /** Only builds after the build with this number. */
  before: number
  /** Unix seconds. */
  now: number
  /** The number of builds to read. */
  scanned: number
}

/** The parameters of one page. */
export interface FilterPage extends Omit<FilterScan, 'scanned'> {
  limit: number
  /** The number of builds to read, if lower than the limit of a request. */
  scanned?: number
}

/**
 * The number of builds that one request reads. It is limited because matches can be far apart, and
 * SQLite blocks the event loop. Reading only the index costs less than reading the texts.
 */
export const maxScanned = { index: 20_000, texts: 2_000 }

/**
 * The list is ordered by creation time, then by number, so that a range of dates is a range of the
 * index.
 */
interface Position {
  created: number
  number: number
}

const inList = (values: readonly string[]) => sql`in (select value from json_each(${JSON.stringify(values)}))`

const textMatches = (text: string) => {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1]
  const parts = sql`coalesce(build_title, '') || char(10) || build_message || char(10) || build_author_login || char(10)
    || build_author_name || char(10) || build_ref || char(10) || build_deploy_to || char(10) || build_cron || char(10) || build_after`
  const isPart = sql`instr(lower(${parts}), lower(${text})) > 0`
  return number === undefined ? isPart : sql`(build_number = ${Number(number)} or ${isPart})`
}

const durationMatches = ({ longer, shorter }: BuildFilter, now: number) => {
  const hasRun = sql`some.build_started > 0
    and not (some.build_started = some.build_finished and some.build_status ${inList(neverRanStatuses)})`
  const isOver = sql`some.build_finished > 0`
  const seconds = sql`case when ${isOver} then some.build_finished else ${now} end - some.build_started`
  return [
    ...(longer === undefined
      ? []
      : [sql`${hasRun} and (${isOver} or some.build_status = 'running') and ${seconds} > ${longer}`]),
    ...(shorter === undefined ? [] : [sql`${hasRun} and ${isOver} and ${seconds} < ${shorter}`]),
  ]
}

/**
 * The page starts after this position. If the build `before` was removed, it starts after the next
 * lower number.
 */
const startOf = async (
  db: Db,
  repoId: number,
  { filter, before }: Pick<FilterScan, 'filter' | 'before'>,
): Promise<Position> => {
  const { rows } = await sql<Position>`select build_created as created, build_number as number from builds
    where build_repo_id = ${repoId} and build_number <= ${before} order by build_number desc limit 1`.execute(db)
  const [last] = rows
  if (!last) return { created: -1, number: 0 }
  const position = last.number === before ? last : { created: last.created, number: last.number + 1 }
  const start = before === Number.MAX_SAFE_INTEGER ? { created: before, number: before } : position
  const { until } = filter
  return until !== undefined && until <= start.created ? { created: until, number: 0 } : start
}

const rangeOf = (repoId: number, start: Position, since: number | undefined) => sql`build_repo_id = ${repoId}
  and (build_created, build_number) < (${start.created}, ${start.number}) and build_created >= ${since ?? 0}`

/** The columns that a scan reads; the index contains all of them. */
const scannedColumns = sql`build_id, build_number, build_status, build_event, build_ref, build_author_login, build_actor,
  build_trigger, build_deploy_to, build_started, build_finished`

/** A scan of the newest builds in a range of dates, for conditions on their columns and texts. */
interface Scan {
  /**
   * The rows, named `some`. It names an index whose order is that of the list, so that the scan can
   * stop at its limit.
   */
  from: RawBuilder<unknown>
  /** The conditions on a row, without the filters by status and event. */
  conditions: RawBuilder<unknown>[]
  /** Returns the number of the last scanned build, if there are more. */
  end: () => Promise<number | undefined>
}

export const scanOf = async (db: Db, repoId: number, page: FilterScan): Promise<Scan> => {
  const { filter, scanned } = page
  const { branch, author, person, environment, text, since } = filter
  const range = rangeOf(repoId, await startOf(db, repoId, page), since)
  const conditions = [
    sql`true`,
    ...(branch ? [sql`some.build_ref = ${`refs/heads/${branch}`}`] : []),
    ...(environment ? [sql`some.build_deploy_to = ${environment}`] : []),
    ...durationMatches(filter, page.now),
    ...[author, person].filter(Boolean).map(
      (login) =>
        // Compares in half the time of `lower`.
        sql`(some.build_author_login = ${login} collate nocase or some.build_actor = ${login} collate nocase
            or some.build_trigger = ${login} collate nocase)`,
    ),
    ...(text
      ? [sql`exists (select 1 from builds where builds.build_id = some.build_id and ${textMatches(text)})`]
      : []),
  ]
  return {
    from: sql`(select ${scannedColumns} from builds indexed by ix_builds_listed where ${range}
      order by build_created desc, build_number desc limit ${scanned}) as some`,
    conditions,
    end: () => endOfScan(db, range, scanned),
  }
}

/**
 * Newest first. `next` is the `before` of the next page. It can be present even if this page has
 * fewer builds than `limit`.
 */
export const filterBuilds = async (db: Db, repoId: number, page: FilterPage): Promise<FilteredBuilds> => {
  const { filter, limit } = page
  const { events, statuses, text } = filter
  const scanned = Math.min(page.scanned ?? Infinity, text ? maxScanned.texts : maxScanned.index)
  const scan = await scanOf(db, repoId, { ...page, scanned })
  const conditions = [
    ...(events.length > 0 ? [sql`some.build_event ${inList(events)}`] : []),
    ...(statuses.length > 0 ? [sql`some.build_status ${inList(statuses)}`] : []),
    ...scan.conditions,
  ]
  const { rows } = await sql<{ id: number; number: number }>`
    select some.build_id as id, some.build_number as number from ${scan.from}
    where ${sql.join(conditions, sql` and `)} limit ${limit}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const query = db
    .selectFrom('builds')
    .selectAll()
    .where(sql<boolean>`build_id in (select value from json_each(${JSON.stringify(ids)}))`)
  const found = ids.length === 0 ? [] : await newestRows(query, builds.columns, 'build_number')
  // The sort is stable, so builds of the same second stay ordered by number.
  const items: Build[] = found.toSorted((one, other) => other.build_created - one.build_created).map(toBuild)
  const next = rows.length === limit ? rows.at(-1)?.number : await scan.end()
  return { items, ...(next !== undefined && { next }) }
}

/** The number of the last scanned build, if there are more. */
const endOfScan = async (db: Db, range: ReturnType<typeof rangeOf>, scanned: number): Promise<number | undefined> => {
  const { rows } = await sql<{ number: number }>`
    select build_number as number from builds indexed by ix_builds_listed where ${range}
    order by build_created desc, build_number desc limit 2 offset ${scanned - 1}`.execute(db)
  return rows.length === 2 ? rows[0]?.number : undefined
}
