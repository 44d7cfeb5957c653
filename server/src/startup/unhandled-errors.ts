/**
 * Handles exceptions and rejections that no code caught. The server keeps running: its state is in
 * the database, changed in transactions, and one broken request must not stop all others. They are
 * logged with their stack and counted (`flightdeck_unhandled_errors_total` in /metrics).
 *
 * That includes exceptions, although Node's documentation advises against it: they come from a
 * socket or a pipe that broke without a listener, or from a timer of one build, and an attacker who
 * can cause one could otherwise stop the server for all users. During startup they end the process:
 * there are no users yet.
 */

/** Further errors within a minute are only counted, so that they cannot fill the disk with logs. */
const maxLogged = 100
const minute = 60_000

export interface Faults {
  /** Since the start. */
  count(): number
  add(kind: string, error: unknown): void
}

export function createFaults(log: (message: string, error?: unknown) => void, now: () => number = Date.now): Faults {
  let count = 0
  let logged = 0
  let startedAt = now()
  return {
    count: () => count,
    add(kind, error) {
      count += 1
      if (now() - startedAt >= minute) {
        startedAt = now()
        logged = 0
      }
      logged += 1
      if (logged <= maxLogged) log(kind, error)
      if (logged === maxLogged) log('too many of these; the rest of this minute are only counted')
    },
  }
}
