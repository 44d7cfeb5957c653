/** Limits how many requested jobs run at once, and how many wait for a slot. */
import { Refusal } from '../lib/refusal.ts'

export interface FairSemaphore {
  /**
   * Runs `work` in order of arrival; throws a 503 if too many calls wait already. Only one call per
   * `owner` runs at a time, and its others are skipped meanwhile: slow work for one repository
   * delays only that one.
   */
  run<T>(work: () => Promise<T>, owner?: number): Promise<T>
}

const retrySeconds = 2

export function createFairSemaphore({
  concurrency,
  maxWaiting,
}: {
  concurrency: number
  maxWaiting: number
}): FairSemaphore {
  const waiting: { owner: number | undefined; begin: () => void }[] = []
  /** Owners with running work. */
  const busy = new Set<number>()
  let running = 0

  const mayRun = (owner: number | undefined): boolean =>
    running < concurrency && (owner === undefined || !busy.has(owner))
  function enter(owner: number | undefined): void {
    running += 1
    if (owner !== undefined) busy.add(owner)
  }
  function leave(owner: number | undefined): void {
    running -= 1
    if (owner !== undefined) busy.delete(owner)
    // The slot is handed over synchronously, so no new caller can take it.
    const at = waiting.findIndex((other) => mayRun(other.owner))
    const [next] = at === -1 ? [] : waiting.splice(at, 1)
    if (!next) return
    enter(next.owner)
    next.begin()
  }

  return {
    async run(work, owner) {
      if (mayRun(owner)) enter(owner)
      else {
        if (waiting.length >= maxWaiting) {
          throw new Refusal(503, `The server is busy. Try again in ${retrySeconds} seconds`, retrySeconds)
        }
        await new Promise<void>((resolve) => waiting.push({ owner, begin: resolve }))
      }
      try {
        return await work()
      } finally {
        leave(owner)
      }
    },
  }
}
