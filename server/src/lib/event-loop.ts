/**
 * Turns of the event loop: no work holds it for long. What answers at once, as the database does, lets
 * nothing else come in between, however many promises it is made of: so long work asks here whether it may continue.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export { nextTurn }

/** Milliseconds of work; what is done after the last question comes on top of it. */
const maxTurnMs = 8
/** What is handed to sockets costs its time only after it was asked for. */
const maxTurnBytes = 4 * 1024 * 1024

interface Turn {
  began: number
  bytes: number
  /** The first query. */
  queriesBegan?: number
}

/** One account for the whole process: many that do a little each hold the loop as long as one that does much. */
let turn: Turn | undefined

function currentTurn(): Turn {
  if (turn === undefined) {
    turn = { began: performance.now(), bytes: 0 }
    // Of all that waits for the next turn this comes first: it was asked for first.
    setImmediate(() => {
      turn = undefined
    })
  }
  return turn
}

/** Whether what runs now should let others come first. `bytes` are about to be handed to a socket. */
export const shouldYield = (bytes = 0): boolean => {
  const isFirst = turn === undefined
  const { began, bytes: before } = currentTurn()
  // What never fits is the only large one of its turn; it need not be the first that asks for anything.
  const isFull = before > 0 && before + bytes > maxTurnBytes
  if (!isFirst && (performance.now() - began >= maxTurnMs || isFull)) return true
  currentTurn().bytes += bytes
  return false
}

/**
 * The same for a query, whose time begins with the first one of the turn: those of a small call, which makes some of them one after the
 * other, do not wait a turn each behind parts of large ones.
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

/** First come, first served: if ten thousand asked anew in each turn, that would take longer than what they have to do. */
let line: Waiting[] = []
let serving = false

async function serve(): Promise<void> {
  while (line.length > 0) {
    // Jobs that arrive meanwhile wait for the next round.
    const now = line
    line = []
    for (const waiting of now) {
      while (shouldYield(waiting.bytes)) await nextTurn()
      waiting.enter()
      // Its part is done before the next one is asked for.
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

/** Resolves while this turn is young, or in one that is: for one who does a part of much work each time. */
export const yieldToEventLoop = async (bytes = 0): Promise<void> => {
  if (shouldYield(bytes)) await new Promise<void>((resolve) => stand({ bytes, enter: resolve }))
}

/** Does it in a turn that is young, and nothing between the question and the work: many may ask at once. */
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

/** A part of a large answer counts as more bytes: between two of them there is time for a question that costs little. */
const bulkWeight = 16

export interface BulkQueue {
  /** Runs `work`, a part of a large answer with `bytes`, when fewer than `maxConcurrency` others run, in a turn that is young. */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T>
}

/**
 * For parts of large answers, of which there may be thousands: they wait in a queue of their own, first come, first served, so that
 * whoever asks for little waits for few of them. `work` must end without help from a client, because the others wait for it.
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

/** As `yieldToEventLoop`, for a part of a large answer: what follows is done in this turn. */
export const yieldForBulk = (bytes: number): Promise<void> => bulkTurns.run(bytes, nothing)
