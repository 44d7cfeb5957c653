/** Limits running and queued searches: each search occupies a processor core while it runs. */
import type { Searcher } from '../../interfaces/logs.ts'
import { Refusal } from '../../lib/refusal.ts'

export interface SearchQueueOptions {
  /** Maximum concurrent searches of all users. */
  concurrency: number
  /** Maximum queued searches of one user; at most one runs. */
  maxWaiting: number
  /**
   * Maximum queued searches of all guests together: a client with many addresses counts as many
   * guests.
   */
  maxGuests: number
}

interface Waiting {
  who: Searcher
  start: () => void
}

export function createSearchQueue({ concurrency, maxWaiting, maxGuests }: SearchQueueOptions) {
  const running: Searcher[] = []
  let waiting: Waiting[] = []

  /** One slot is reserved for signed-in users. */
  const isFree = ({ name, isGuest }: Searcher): boolean =>
    running.length < concurrency &&
    !running.some((one) => one.name === name) &&
    (!isGuest || running.filter((one) => one.isGuest).length < concurrency - 1)
  const startNext = (): void => {
    const ready = waiting.filter(({ who }) => isFree(who))
    const next = ready.find(({ who }) => !who.isGuest) ?? ready[0]
    if (!next) return
    waiting = waiting.filter((one) => one !== next)
    next.start()
    startNext()
  }
  const begin = (searcher: Searcher): (() => void) => {
    running.push(searcher)
    let left = false
    return () => {
      if (left) return
      left = true
      running.splice(running.indexOf(searcher), 1)
      startNext()
    }
  }
  const isFull = ({ name, isGuest }: Searcher): boolean =>
    waiting.filter(({ who }) => who.name === name).length >= maxWaiting ||
    (isGuest && waiting.filter(({ who }) => who.isGuest).length >= maxGuests)

  return {
    /**
     * Returns the function that leaves the queue; undefined if the signal aborted first. Throws a
     * 429 if too many wait.
     */
    async enter(searcher: Searcher, signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) return undefined
      if (isFree(searcher)) return begin(searcher)
      if (isFull(searcher)) throw new Refusal(429, 'Too many searches are waiting', 5)
      return new Promise((resolve) => {
        const entry = { who: searcher, start: () => resolve(begin(searcher)) }
        waiting.push(entry)
        signal.addEventListener('abort', () => {
          waiting = waiting.filter((one) => one !== entry)
          resolve(undefined)
        })
      })
    },
  }
}
