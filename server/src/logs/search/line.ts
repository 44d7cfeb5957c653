/** Who searches now, and who waits: each search costs a processor as long as it runs. */
import { Refusal } from '../../refusal.ts'

export interface SearchLineOptions {
  /** Searches at once, of all people. */
  atOnce: number
  /** Of one person that wait; he has one under way at most. */
  mostWaiting: number
}

interface Waiting {
  person: string
  start: () => void
}

export function createSearchLine({ atOnce, mostWaiting }: SearchLineOptions) {
  const running: string[] = []
  let waiting: Waiting[] = []

  const isFree = (person: string): boolean => running.length < atOnce && !running.includes(person)
  const startNext = (): void => {
    const next = waiting.find(({ person }) => isFree(person))
    if (!next) return
    waiting = waiting.filter((one) => one !== next)
    next.start()
    startNext()
  }
  const begin = (person: string): (() => void) => {
    running.push(person)
    let left = false
    return () => {
      if (left) return
      left = true
      running.splice(running.indexOf(person), 1)
      startNext()
    }
  }

  return {
    /** Answers how to leave; nothing where the signal came first. Refuses with 429 who waits too often. */
    async enter(person: string, signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) return undefined
      if (isFree(person)) return begin(person)
      if (waiting.filter((one) => one.person === person).length >= mostWaiting)
        throw new Refusal(429, 'Too many searches wait', 5)
      return new Promise((resolve) => {
        const mine = { person, start: () => resolve(begin(person)) }
        waiting.push(mine)
        signal.addEventListener('abort', () => {
          waiting = waiting.filter((one) => one !== mine)
          resolve(undefined)
        })
      })
    },
  }
}
