/**
 * Time slices of the event loop: no work holds it for long. Promises that resolve immediately, as
 * those of the database, let nothing else run in between, however many there are; so long work asks
 * here whether it may continue.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export { nextTurn }

/** Milliseconds of work; work after the last check is not included. */
const maxTurnMs = 8
/** What is handed to sockets costs its time only after it was asked for. */
const maxTurnBytes = 4 * 1024 * 1024

interface Turn {
  startedAt: number
  bytes: number
  /** The first query. */
  queriesBegan?: number
}

/**
 * One budget for the whole process: many small pieces of work block the loop as long as one large
 * one.
 */
let turn: Turn | undefined

function currentTurn(): Turn {
  if (turn === undefined) {
    turn = { startedAt: performance.now(), bytes: 0 }
    // Runs before everything else that waits for the next turn, because it is registered first.
    setImmediate(() => {
      turn = undefined
    })
  }
  return turn
}

/** Whether the current work should yield. `bytes` are about to be written to a socket. */
export const shouldYield = (bytes = 0): boolean => {
  const isFirst = turn === undefined
  const { startedAt, bytes: before } = currentTurn()
  // A write larger than the limit runs alone among large ones; it need not be the first of its
  // turn.
  const isFull = before > 0 && before + bytes > maxTurnBytes
  if (!isFirst && (performance.now() - startedAt >= maxTurnMs || isFull)) return true
  currentTurn().bytes += bytes
  return false
}

/**
 * Like `shouldYield` for queries, with a budget that starts at the first query of the turn: a small
 * call with several consecutive queries does not wait a turn after each for parts of large calls.
 */
export const shouldQueryYield = (): boolean => {
  const current = currentTurn()
  current.queriesBegan ??= performance.now()
  return performance.now() - current.queriesBegan >= maxTurnMs
}

interface Waiting {
  bytes: number
  enter(): void
}

/** FIFO: if ten thousand checked again in each turn, the checks would take longer than the work. */
let line: Waiting[] = []
let serving = false

async function serve(): Promise<void> {
  while (line.length > 0) {
    // Jobs that arrive in the meantime wait for the next round.
    const now = line
    line = []
    for (const waiting of now) {
      while (shouldYield(waiting.bytes)) await nextTurn()
      waiting.enter()
      // Its part runs before the next one is checked.
      await Promise.resolve()
    }
  }
  serving = false
}

const stand = (waiting: Waiting): void => {
  line.push(waiting)
  if (serving) return
  serving = true
  void serve()
}

/**
 * Resolves immediately if this turn has time left, or in a later turn. For work that is split into
 * parts.
 */
export const yieldToEventLoop = async (bytes = 0): Promise<void> => {
  if (shouldYield(bytes)) await new Promise<void>((resolve) => stand({ bytes, enter: resolve }))
}

/** Runs `work` in a turn that has time left, with nothing else between the check and the work. */
export const runYielding = async <T>(work: () => T): Promise<T> => {
  if (!shouldYield()) return work()
  return new Promise<T>((resolve, reject) => {
    const enter = () => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    stand({ bytes: 0, enter })
  })
}

/**
 * Chunks of large responses count as more bytes, so that small requests are served between two of
 * them.
 */
const bulkWeight = 16

export interface BulkQueue {
  /**
   * Runs `work`, a chunk of `bytes`, at the start of a turn of the event loop, with at most
   * `maxConcurrency` at a time.
   */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T>
}

/**
 * A FIFO queue for chunks of large responses, of which there may be thousands: small requests wait
 * for at most `maxConcurrency` of them. `work` must not wait for a client, because it blocks the
 * queue.
 */
export function createBulkQueue(maxConcurrency = 4): BulkQueue {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(bytes, work) {
      if (running < maxConcurrency) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        await yieldToEventLoop(bytes * bulkWeight)
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

const bulkTurns = createBulkQueue()
const nothing = async (): Promise<void> => {}

/** Like `yieldToEventLoop`, for a chunk of a large response, which is then sent in this turn. */
export const yieldForBulk = (bytes: number): Promise<void> => bulkTurns.run(bytes, nothing)
