/**
 * Turns of the event loop: no work holds it for long (issue 11, point 1). What answers at once, as the database does, lets
 * nobody else come in between, however many promises it is made of: so whoever has much to do asks here whether he may go on.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export { nextTurn }

/** Milliseconds of work; what is done after the last question comes on top of it. */
const longest = 8
/** What is handed to sockets costs its time only after it was asked for. */
const mostBytes = 4 * 1024 * 1024

/** One account for the whole process: many that do a little each hold the loop as long as one that does much. */
let turn: { began: number; bytes: number } | undefined

/** Whether what runs now should let others come first. `bytes` are about to be handed to a socket. */
export const isLongTurn = (bytes = 0): boolean => {
  if (turn === undefined) {
    turn = { began: performance.now(), bytes }
    // Of all that waits for the next turn this comes first: it was asked for first.
    setImmediate(() => {
      turn = undefined
    })
    return false
  }
  if (performance.now() - turn.began >= longest || turn.bytes + bytes > mostBytes) return true
  turn.bytes += bytes
  return false
}

/** Resolves while this turn is young, or in one that is: for one who does a part of much work each time. */
export const takeTurn = async (bytes = 0): Promise<void> => {
  while (isLongTurn(bytes)) await nextTurn()
}

/** Does it in a turn that is young, and nothing between the question and the work: many may ask at once. */
export const inTurn = async <T>(work: () => T): Promise<T> => {
  while (isLongTurn()) await nextTurn()
  return work()
}
