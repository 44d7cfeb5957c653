/**
 * The clocks of builds that run, so that setting the clock of the machine changes neither a
 * duration nor a time limit.
 */
import { countEntries, createLruCache } from '../lib/cache.ts'

/** The least recently used are evicted: a build may end without a call of `end`. */
const maxClocks = 100_000

export interface BuildClocks {
  /** The build runs from now on. */
  begin(buildId: number): void
  /**
   * Unix seconds: the wall clock's time at `begin` plus the time since; without `begin` the wall
   * clock's time.
   */
  now(buildId: number): number
  end(buildId: number): void
}

/** `now`: Unix seconds. `start`: a clock that starts at the current time and only moves forward. */
export function createBuildClocks(now: () => number, start: () => () => number): BuildClocks {
  const clocks = createLruCache<() => number>({ maxSize: maxClocks, sizeOf: countEntries })
  const key = String
  return {
    begin(buildId) {
      clocks.set(key(buildId), start())
    },
    now: (buildId) => clocks.get(key(buildId))?.() ?? now(),
    end(buildId) {
      clocks.delete(key(buildId))
    },
  }
}
