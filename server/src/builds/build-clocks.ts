/** The clocks of builds that run, so that setting the clock of the machine changes neither a duration nor a time limit. */
import { countEntries, createLruCache } from '../lib/cache.ts'

/** Those of builds that ended without a word to `end` are dropped in time. */
const maxClocks = 100_000

export interface BuildClocks {
  /** The build runs from now on. */
  begin(buildId: number): void
  /** Unix seconds: of the wall clock when the build began, plus what has passed since; of the wall clock where that is not known. */
  now(buildId: number): number
  end(buildId: number): void
}

/** `now`: Unix seconds. `start`: a clock that begins with the present time and only moves forward. */
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
