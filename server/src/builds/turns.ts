import { setImmediate as nextTurn } from 'node:timers/promises'

export { nextTurn }

/** For long work in a database that answers at once: every so often the others on the event loop get their turn. */
export const createTurns = (every = 50): (() => Promise<void>) => {
  let done = 0
  return async () => {
    done += 1
    if (done % every === 0) await nextTurn()
  }
}
