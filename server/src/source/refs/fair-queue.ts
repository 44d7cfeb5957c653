export interface FairQueue<T> {
  /** Puts a job at the end of the queue; nothing happens if it waits or runs already. */
  add(item: T): void
  /** Is waiting, or at work. */
  has(item: T): boolean
  /** Starts no more jobs; resolves when none runs. */
  stop(): Promise<void>
}

/**
 * One line for all, of which so many are at work at once. `turn` does a part of somebody's work and answers whether there is
 * more: then it goes to the end of the queue, behind all others. No job waits for all of another's work.
 */
export function createFairQueue<T>(concurrency: number, turn: (item: T) => Promise<boolean>): FairQueue<T> {
  const waiting = new Set<T>()
  const working = new Map<T, Promise<void>>()
  let stopped = false

  function next(): void {
    for (const item of waiting) {
      if (working.size >= concurrency) return
      waiting.delete(item)
      working.set(item, work(item))
    }
  }
  async function work(item: T): Promise<void> {
    // A failure is told where it happens; here it ends the turn.
    const more = await turn(item).catch(() => false)
    working.delete(item)
    if (more && !stopped) waiting.add(item)
    next()
  }

  return {
    add(item) {
      if (stopped || working.has(item)) return
      waiting.add(item)
      next()
    },
    has: (item) => waiting.has(item) || working.has(item),
    async stop() {
      stopped = true
      waiting.clear()
      await Promise.all(working.values())
    },
  }
}
