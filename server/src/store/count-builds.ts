/** Counts how many of a repository's newest builds match a filter, by status and event. */
import type { BuildCounts } from '@flightdeck/api'
import { sql } from 'kysely'
import { maxScanned, scanOf, type BuildFilter } from './filter-builds.ts'
import type { Db } from './open.ts'

/**
 * Half of what a page of the list may read, because SQLite blocks the event loop and a count cannot
 * stop early.
 */
const maxCounted = { index: maxScanned.index / 2, texts: maxScanned.texts }

interface Group {
  status: string
  event: string
  count: number
}

const sumsOf = (groups: readonly Group[], key: 'status' | 'event'): Record<string, number> => {
  const sums: Record<string, number> = {}
  for (const group of groups) sums[group[key]] = (sums[group[key]] ?? 0) + group.count
  return sums
}

/**
 * The counts of a facet ignore the filter by that facet, so that each shows the result of choosing
 * its value. Values without builds are omitted. `now` is in Unix seconds.
 */
export const countBuilds = async (
  db: Db,
  repoId: number,
  { filter, now }: { filter: BuildFilter; now: number },
): Promise<BuildCounts> => {
  const scanned = filter.text ? maxCounted.texts : maxCounted.index
  const scan = await scanOf(db, repoId, { filter, before: Number.MAX_SAFE_INTEGER, now, scanned })
  const { rows } = await sql<Group>`
    select some.build_status as status, some.build_event as event, count(*) as count from ${scan.from}
    where ${sql.join(scan.conditions, sql` and `)} group by 1, 2`.execute(db)
  const { statuses, events } = filter
  const ofStatus = rows.filter(({ status }) => statuses.length === 0 || statuses.some((one) => one === status))
  const ofEvent = rows.filter(({ event }) => events.length === 0 || events.some((one) => one === event))
  const total = ofStatus.filter((group) => ofEvent.includes(group)).reduce((sum, { count }) => sum + count, 0)
  return {
    total,
    capped: (await scan.end()) !== undefined,
    statuses: sumsOf(ofEvent, 'status'),
    events: sumsOf(ofStatus, 'event'),
  }
}
