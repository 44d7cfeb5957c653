/** Limits of time that count what a machine that is busy with other things really gave. */

/**
 * Of a machine that is busy with other things a job gets a part only. This many times its limit is
 * too long in any case.
 */
const maxPatience = 10

/**
 * Calls back when a job has had its time on a processor (milliseconds). What the whole process has
 * used is the most that a job may have had, so none is given up too early.
 */
export function onceUsedUp(time: number, signal: AbortSignal, onEnd: () => void): void {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  const check = (): void => {
    const { user, system } = process.cpuUsage(cpu)
    const left = Math.min(time - (user + system) / 1000, maxPatience * time - (performance.now() - startedAt))
    if (left > 0) timer = setTimeout(check, Math.max(left, 10))
    else {
      signal.removeEventListener('abort', stop)
      // An answer may lie there already, where this thread was the one that was late.
      setImmediate(onEnd)
    }
  }
  const stop = (): void => clearTimeout(timer)
  timer = setTimeout(check, time)
  signal.addEventListener('abort', stop, { once: true })
}
