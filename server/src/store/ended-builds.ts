/** Counts builds that have ended, by status, for `/metrics`. */
import { isDone } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

export interface EndedBuilds {
  /** Status → builds that have ended since the first call, which returns none. */
  count(): Promise<ReadonlyMap<string, number>>
}

/**
 * Each call looks only at builds that are new or had not ended at the last one, so that the number of builds does not matter. A build
 * that was removed in between is not counted.
 */
export function countEndedBuilds(db: Db): EndedBuilds {
  const counts = new Map<string, number>()
  /** Builds that had not ended. */
  let open: number[] = []
  let last: number | undefined
  let work: Promise<unknown> = Promise.resolve()

  async function begin(): Promise<void> {
    const rows = await sql<{ id: number }>`
      select build_id as id from builds where build_status in ('pending', 'running')
      union select stage_build_id from stages where stage_status = 'blocked'`.execute(db)
    const newest = await sql<{ id: number | null }>`select max(build_id) as id from builds`.execute(db)
    open = rows.rows.map(({ id }) => id)
    last = newest.rows[0]?.id ?? 0
  }

  async function look(): Promise<void> {
    if (last === undefined) return begin()
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
      const looked = work.then(look)
      work = looked.catch(() => {})
      await looked
      return new Map(counts)
    },
  }
}
