/** Counts builds that have ended, by status, for `/metrics`. */
import { isDone } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

export interface EndedBuilds {
  /**
   * Maps the status to the number of builds that have ended since the first call, which returns
   * none.
   */
  count(): Promise<ReadonlyMap<string, number>>
}

/**
 * Each call reads only builds that are new or were unfinished at the last call, so the cost does
 * not depend on the number of builds. A build that was removed in between is not counted.
 */
export function countEndedBuilds(db: Db): EndedBuilds {
  const counts = new Map<string, number>()
  /** The ids of builds that were unfinished at the last call. */
  let open: number[] = []
  let last: number | undefined
  let work: Promise<unknown> = Promise.resolve()

  async function readUnfinished(): Promise<void> {
    const rows = await sql<{ id: number }>`
      select build_id as id from builds where build_status in ('pending', 'running')
      union select stage_build_id from stages where stage_status = 'blocked'`.execute(db)
    const newest = await sql<{ id: number | null }>`select max(build_id) as id from builds`.execute(db)
    open = rows.rows.map(({ id }) => id)
    last = newest.rows[0]?.id ?? 0
  }

  async function countNew(): Promise<void> {
    if (last === undefined) return readUnfinished()
    const { rows } = await sql<{ id: number; status: string }>`
      select build_id as id, build_status as status from builds where build_id > ${last}
      union all
      select build_id, build_status from builds where build_id in (select value from json_each(${JSON.stringify(open)}))`.execute(
      db,
    )
    open = []
    for (const { id, status } of rows) {
      last = Math.max(last, id)
      if (isDone(status)) counts.set(status, (counts.get(status) ?? 0) + 1)
      else open.push(id)
    }
  }

  return {
    async count() {
      const counted = work.then(countNew)
      work = counted.catch(() => {})
      await counted
      return new Map(counts)
    },
  }
}
