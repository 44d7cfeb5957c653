/** What signals do: SIGTERM lets running stages end first, everything else ends at once (docs/decisions/upgrade.md). */

export interface Stoppable {
  /** Resolves when no stage runs here any more, or when `signal` says so. */
  drain(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

interface ShutdownOptions {
  /** 0: running stages end at once. */
  drainSeconds: number
  log: (message: string, error?: unknown) => void
  /** The last thing that happens. */
  exit: () => void
}

export interface Shutdown {
  /** Stages that run may end; the second call ends them. */
  drain(): void
  now(): void
  /** The server has started; answers true if it was asked to end meanwhile, and has ended. */
  started(server: Stoppable): Promise<boolean>
}

/** Shorter waits are not logged. */
const noticeDelayMs = 300
/** A hanging disk or git process must not keep the server from ending: what was promised is on the disk already. */
const maxStopMs = 20_000

export function createShutdown({ drainSeconds, log, exit }: ShutdownOptions): Shutdown {
  let server: Stoppable | undefined
  let isStopping = false
  let ending: Promise<void> | undefined
  const hurry = new AbortController()

  async function end(): Promise<void> {
    if (!hurry.signal.aborted && server) {
      const drained = server
        .drain(hurry.signal)
        .catch((error: unknown) => log('Waiting for running stages failed', error))
        .then(() => true)
      const isIdle = await Promise.race([
        drained,
        new Promise<false>((resolve) => setTimeout(resolve, noticeDelayMs, false)),
      ])
      if (!isIdle && !hurry.signal.aborted) {
        log(`Stopping: running stages have ${drainSeconds} seconds to end. A second signal ends them now`)
        await Promise.race([
          drained,
          new Promise<void>((resolve) => hurry.signal.addEventListener('abort', () => resolve())),
          new Promise<void>((resolve) => setTimeout(resolve, drainSeconds * 1000)),
        ])
      }
      hurry.abort()
    }
    if (server) await stopInTime(server)
    exit()
  }

  async function stopInTime(running: Stoppable): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        log(`The server did not stop within ${maxStopMs / 1000} seconds. It ends now`)
        resolve()
      }, maxStopMs)
    })
    await Promise.race([running.stop(), late]).finally(() => clearTimeout(timer))
  }

  const begin = (): void => {
    isStopping = true
    // While the server is starting there is nothing to stop yet.
    if (server) ending ??= end()
  }
  const now = (): void => {
    hurry.abort()
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
