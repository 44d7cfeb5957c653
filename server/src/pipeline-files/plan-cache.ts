import { createHash } from 'node:crypto'
import { createLruCache } from '../lib/cache.ts'
import type { PlanJob } from './jobs.ts'

/** Characters of all that is kept, and what each plan costs besides. */
const maxKept = 4_000_000
const overhead = 300

/** What pipeline files say, as they were read: the same text, asked the same, says the same. */
export interface PlanCache {
  of(job: PlanJob, read: () => Promise<string>): Promise<string>
}

export function createPlanCache(maxSize = maxKept): PlanCache {
  // Names are hashes: a file may be large, and its key is a secret.
  const kept = createLruCache<string>({ maxSize, sizeOf: (outcome) => outcome.length + overhead })
  return {
    async of(job, read) {
      const key = createHash('sha256').update(JSON.stringify(job)).digest('base64')
      const known = kept.get(key)
      if (known !== undefined) return known
      const outcome = await read()
      kept.set(key, outcome)
      return outcome
    },
  }
}
