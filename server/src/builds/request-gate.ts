/** How much of something runs at once because somebody asked for it, and how many may wait for their turn. */
import { Refusal } from '../refusal.ts'

export interface Gate {
  /** Runs `work` when it is its turn, first come, first served; throws a 503 when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

const retrySeconds = 2

export function createGate({ atOnce, places }: { atOnce: number; places: number }): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async run(work) {
      if (running >= atOnce) {
        if (waiting.length >= places) {
          throw new Refusal(503, `The server is busy. Try again in ${retrySeconds} seconds`, retrySeconds)
        }
        // Whoever is done hands his place over, so that nobody can slip in between.
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
