import { asksForPlatform, matchesFilter, type StageFilter } from '../pipeline/stage-filter.ts'
import type { Db } from '../store/open.ts'
import { lastWithinLimit, lastWithinThrottle, listPending, type PendingStage, type Wanted } from '../store/queue.ts'
import { nextTurn } from '../lib/event-loop.ts'

/** Stages to check before the event loop gets a turn. */
const slice = 200

/** Each limit is counted once for all stages that it holds. */
const createLimits = (db: Db) => {
  const cache = new Map<string, number>()
  const once = async (key: string, count: () => Promise<number>): Promise<number> => {
    const last = cache.get(key) ?? (await count())
    cache.set(key, last)
    return last
  }
  return async ({ id, repo_id: repo, name, limit, throttle }: PendingStage): Promise<boolean> => {
    const whole = () => lastWithinThrottle(db, repo, throttle)
    if (throttle !== 0 && id > (await once(`${repo} ${throttle}`, whole))) return false
    const findLast = () => lastWithinLimit(db, repo, name, limit)
    return limit === 0 || id <= (await once(`${repo} ${limit} ${name}`, findLast))
  }
}

const wantedBy = (filter: StageFilter): Wanted => ({
  kind: filter.kind || 'pipeline',
  type: filter.type || 'docker',
  ...(asksForPlatform(filter) && { platform: { os: filter.os ?? '', arch: filter.arch ?? '' } }),
})

/**
 * The ids of the stages that such a runner may start now, oldest first; read no further than they
 * are taken.
 */
export async function* lineFor(db: Db, filter: StageFilter): AsyncGenerator<number> {
  const query = wantedBy(filter)
  for (let after = 0; ; await nextTurn()) {
    const stages = await listPending(db, query, after, slice)
    const allows = createLimits(db)
    for (const stage of stages) {
      if (matchesFilter(stage, filter) && (await allows(stage))) yield stage.id
      after = stage.id
    }
    if (stages.length < slice) return
  }
}
