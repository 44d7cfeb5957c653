/** Requests that wait for a build to end (docs/api §7.7). */
export interface Watchers {
  /** Resolves true at the next `release` of the build, false when `signal` aborts. */
  wait(buildId: number, signal: AbortSignal): Promise<boolean>
  release(buildId: number): void
}

export const createWatchers = (): Watchers => {
  const waiting = new Map<number, Set<() => void>>()
  return {
    wait(buildId, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) {
          resolve(false)
          return
        }
        const all = waiting.get(buildId) ?? new Set()
        waiting.set(buildId, all)
        const end = (over: boolean) => {
          all.delete(released)
          if (all.size === 0) waiting.delete(buildId)
          signal.removeEventListener('abort', aborted)
          resolve(over)
        }
        const released = () => end(true)
        const aborted = () => end(false)
        all.add(released)
        signal.addEventListener('abort', aborted)
      })
    },
    release(buildId) {
      for (const released of waiting.get(buildId) ?? []) released()
    },
  }
}
