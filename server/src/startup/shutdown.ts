/**
 * Handles signals: SIGTERM lets running stages end first, others stop immediately
 * (docs/decisions/upgrade.md).
 */

export interface Stoppable {
  /** Resolves when no stage is running, or `signal` aborts. */
  drain(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

interface ShutdownOptions {
  /** 0: running stages are stopped immediately. */
  drainSeconds: number
  log: (message: string, error?: unknown) => void
  /** Ends the process; called last. */
  exit: () => void
}

export interface Shutdown {
  /** Stops after running stages have ended; the second call stops immediately. */
  drain(): void
  now(): void
  /**
   * Call it when the server has started. Returns true if a signal arrived before, after stopping
   * the server.
   */
  started(server: Stoppable): Promise<boolean>
}

/** Shorter waits are not logged. */
const noticeDelayMs = 300
/**
 * A hanging disk or git process must not block the exit. Confirmed changes are already on the disk.
 */
const maxStopMs = 20_000

export function createShutdown({ drainSeconds, log, exit }: ShutdownOptions): Shutdown {
  let server: Stoppable | undefined
  let isStopping = false
  let ending: Promise<void> | undefined
  const immediate = new AbortController()

  async function end(): Promise<void> {
    if (!immediate.signal.aborted && server) {
      const drained = server
        .drain(immediate.signal)
        .catch((error: unknown) => log('Waiting for running stages failed', error))
        .then(() => true)
      const isIdle = await Promise.race([
        drained,
        new Promise<false>((resolve) => setTimeout(resolve, noticeDelayMs, false)),
      ])
      if (!isIdle && !immediate.signal.aborted) {
        log(`Stopping: running stages have ${drainSeconds} seconds to end. A second signal ends them now`)
        await Promise.race([
          drained,
          new Promise<void>((resolve) => immediate.signal.addEventListener('abort', () => resolve())),
          new Promise<void>((resolve) => setTimeout(resolve, drainSeconds * 1000)),
        ])
      }
      immediate.abort()
    }
    if (server) await stopInTime(server)
    exit()
  }

  async function stopInTime(running: Stoppable): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        log(`The server did not stop within ${maxStopMs / 1000} seconds. It ends now`)
        resolve()
      }, maxStopMs)
    })
    await Promise.race([running.stop(), timeout]).finally(() => clearTimeout(timer))
  }

  const begin = (): void => {
    isStopping = true
    // A server that is still starting is stopped in `started`.
    if (server) ending ??= end()
  }
  const now = (): void => {
    immediate.abort()
    begin()
  }
  return {
    drain() {
      if (isStopping || drainSeconds === 0) now()
      else begin()
    },
    now,
    async started(running) {
      server = running
      if (!isStopping) return false
      begin()
      await ending
      return true
    },
  }
}
