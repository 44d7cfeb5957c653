/**
 * A periodic task: never two runs at the same time, and a server that stops waits for the current
 * run, because it uses the database.
 */
export interface BackgroundTask {
  /**
   * Starts a run, unless one is running or the task was stopped. Resolves when the run has ended;
   * never rejects.
   */
  start(): Promise<void>
  /**
   * Asks the current run to end at its next step, starts no other, and resolves when it has ended.
   */
  stop(): Promise<void>
}

export interface BackgroundTaskOptions {
  /** `signal` is aborted by `stop`. */
  run: (signal: AbortSignal) => Promise<void>
  /** Of a run that failed. */
  onError: (error: unknown) => void
}

export function createBackgroundTask({ run, onError }: BackgroundTaskOptions): BackgroundTask {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    start() {
      if (running || stopping.signal.aborted) return Promise.resolve()
      running = run(stopping.signal)
        .catch(onError)
        .finally(() => {
          running = undefined
        })
      return running
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
