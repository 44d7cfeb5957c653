/** Times that only move forward, whatever becomes of the clock of the machine. */

/**
 * Milliseconds for intervals: about the Unix time at the start of this process, and not later, when the clock is set. Use `Date.now`
 * for times that are stored or shown.
 */
export const monotonicMs = (): number => performance.timeOrigin + performance.now()

/**
 * A clock for the times of one stage, in Unix seconds: the wall clock's time at the call, and from there on how much time has passed. So
 * durations are right when the clock is set meanwhile.
 */
export function startClock(wallMs: () => number = Date.now, passedMs: () => number = monotonicMs): () => number {
  const wallAtStart = wallMs()
  const passedAtStart = passedMs()
  return () => Math.floor((wallAtStart + passedMs() - passedAtStart) / 1000)
}
