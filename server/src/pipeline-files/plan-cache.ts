import { createHash } from 'node:crypto'
import { createLruCache } from '../lib/cache.ts'
import type { PlanJob } from './jobs.ts'

/**
 * Limit of the cache in characters, and the characters that each entry counts in addition to its
 * plan.
 */
const maxCharacters = 4_000_000
const overheadCharacters = 300

/** Caches plans by job: equal jobs have equal plans. */
export interface PlanCache {
  of(job: PlanJob, read: () => Promise<string>): Promise<string>
}

export function createPlanCache(maxSize = maxCharacters): PlanCache {
  // Keys are hashes: a file can be large, and a job contains the repository's secret.
  const cache = createLruCache<string>({ maxSize, sizeOf: (outcome) => outcome.length + overheadCharacters })
  return {
    async of(job, read) {
      const key = createHash('sha256').update(JSON.stringify(job)).digest('base64')
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const outcome = await read()
      cache.set(key, outcome)
      return outcome
    },
  }
}
