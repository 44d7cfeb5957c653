/** Measures event loop delay with a timer that should run every few milliseconds. */

export interface LoopMonitor {
  /** The longest delay of the last ten seconds in milliseconds, including the current one. */
  maxRecentDelayMs(): number
  stop(): void
}

const intervalMs = 20
const secondsKept = 10

/** `observe` gets each delay in milliseconds. */
export function startLoopMonitor(observe: (delayMs: number) => void = () => {}): LoopMonitor {
  /** The longest delay of each second. */
  const maxima = new Map<number, number>()
  let expected = performance.now() + intervalMs

  const delayAt = (now: number) => Math.max(0, now - expected)
  const timer = setInterval(() => {
    const now = performance.now()
    const delayMs = delayAt(now)
    expected = now + intervalMs
    observe(delayMs)
    const second = Math.floor(now / 1000)
    maxima.set(second, Math.max(maxima.get(second) ?? 0, delayMs))
    for (const old of maxima.keys()) if (old < second - secondsKept) maxima.delete(old)
  }, intervalMs)
  timer.unref()

  return {
    maxRecentDelayMs() {
      const now = performance.now()
      const first = Math.floor(now / 1000) - secondsKept
      const recent = [...maxima].filter(([second]) => second >= first).map(([, delayMs]) => delayMs)
      return Math.max(delayAt(now), ...recent)
    },
    stop: () => clearInterval(timer),
  }
}
