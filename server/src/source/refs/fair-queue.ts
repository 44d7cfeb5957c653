export interface FairQueue<T> {
  /** Adds an item to the end of the queue, unless it is already waiting or running. */
  add(item: T): void
  /** Whether the item is waiting or running. */
  has(item: T): boolean
  /** Starts no more items; resolves when none is running. */
  stop(): Promise<void>
}

/**
 * A round-robin queue with limited concurrency. `runPart` does a part of an item's work and returns
 * whether there is more; then the item goes to the end of the queue. So no item waits until another
 * one has done all its work.
 */
export function createFairQueue<T>(concurrency: number, runPart: (item: T) => Promise<boolean>): FairQueue<T> {
  const waiting = new Set<T>()
  const running = new Map<T, Promise<void>>()
  let stopped = false

  function next(): void {
    for (const item of waiting) {
      if (running.size >= concurrency) return
      waiting.delete(item)
      running.set(item, run(item))
    }
  }
  async function run(item: T): Promise<void> {
    // `runPart` reports its errors; here an error only ends the part.
    const more = await runPart(item).catch(() => false)
    running.delete(item)
    if (more && !stopped) waiting.add(item)
    next()
  }

  return {
    add(item) {
      if (stopped || running.has(item)) return
      waiting.add(item)
      next()
    },
    has: (item) => waiting.has(item) || running.has(item),
    async stop() {
      stopped = true
      waiting.clear()
      await Promise.all(running.values())
    },
  }
}
