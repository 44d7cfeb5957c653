/** Times that only move forward, even if the machine's clock changes. */

/**
 * Milliseconds for intervals: about the Unix time at the start of this process, and not later, when
 * the clock is set. Use `Date.now` for times that are stored or shown.
 */
export const monotonicMs = (): number => performance.timeOrigin + performance.now()

/**
 * A clock for one stage, in Unix seconds: the wall clock's time at the call plus the time since
 * then. Durations are right even if the clock is changed.
 */
export function startClock(wallMs: () => number = Date.now, passedMs: () => number = monotonicMs): () => number {
  const wallAtStart = wallMs()
  const passedAtStart = passedMs()
  return () => Math.floor((wallAtStart + passedMs() - passedAtStart) / 1000)
}
