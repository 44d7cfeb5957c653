/**
 * Mistakes of ours that nothing caught. The server lives on after them: what it keeps is in the database, changed in
 * transactions, and one broken request must not stop all others. They are logged with their stack and counted, so that
 * somebody learns of them (`flightdeck_unhandled_errors_total` in /metrics).
 *
 * That holds for exceptions, too, although Node's documentation advises against it: they come out of a socket or a pipe that
 * broke while nobody listened, or out of a timer of one build, and whoever found a way to cause one could stop the server
 * for everybody. While it starts, they end it: then nobody is served yet.
 */

/** More of them within a minute are counted only: the disk is not theirs. */
const maxTold = 100
const minute = 60_000

export interface Faults {
  /** Since the start. */
  count(): number
  add(kind: string, error: unknown): void
}

export function createFaults(log: (message: string, error?: unknown) => void, now: () => number = Date.now): Faults {
  let count = 0
  let told = 0
  let began = now()
  return {
    count: () => count,
    add(kind, error) {
      count += 1
      if (now() - began >= minute) {
        began = now()
        told = 0
      }
      told += 1
      if (told <= maxTold) log(kind, error)
      if (told === maxTold) log('too many of these; the rest of this minute are only counted')
    },
  }
}
