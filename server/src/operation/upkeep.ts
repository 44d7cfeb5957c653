/** Small database tasks that run once a minute. */
export interface UpkeepTask {
  /** For the log, as in "… failed". */
  what: string
  run: (now: number) => Promise<void>
}

const intervalMs = 60_000

/**
 * Runs the tasks now and once a minute, one after the other. A task that fails is logged and runs
 * again the next time.
 */
export function startUpkeep(
  tasks: readonly UpkeepTask[],
  {
    now,
    log,
    everyMs = intervalMs,
  }: { now: () => number; log: (message: string, error?: unknown) => void; everyMs?: number },
) {
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    for (const { what, run } of tasks) {
      try {
        await run(now())
      } catch (error) {
        log(`${what} failed`, error)
      }
    }
  }
  const start = (): void => {
    running ??= runAll().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(start, everyMs)
  timer.unref()
  start()
  return {
    /** Resolves when the running task has ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
