import { createHash } from 'node:crypto'
import type { PlanJob } from './jobs.ts'

/** Characters of all that is kept, and what each plan costs besides. */
const mostKept = 4_000_000
const overhead = 300

/** What pipeline files say, as they were read: the same text, asked the same, says the same. */
export interface KnownPlans {
  of(job: PlanJob, read: () => Promise<string>): Promise<string>
}

export function createKnownPlans(most = mostKept): KnownPlans {
  /** The one that was asked for longest ago comes first. Names are hashes: a file may be large, and its key is a secret. */
  const kept = new Map<string, string>()
  let size = 0

  function forget(key: string): void {
    const outcome = kept.get(key)
    if (outcome !== undefined && kept.delete(key)) size -= outcome.length + overhead
  }

  function keep(key: string, outcome: string): void {
    forget(key)
    kept.set(key, outcome)
    size += outcome.length + overhead
    for (const oldest of kept.keys()) {
      if (size <= most) break
      forget(oldest)
    }
  }

  return {
    async of(job, read) {
      const key = createHash('sha256').update(JSON.stringify(job)).digest('base64')
      const outcome = kept.get(key) ?? (await read())
      keep(key, outcome)
      return outcome
    },
  }
}
