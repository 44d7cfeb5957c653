import { setTimeout as delay } from 'node:timers/promises'

/**
 * The pause between two runs as a multiple of the last run's duration: with a full `/tmp` the
 * sweeper takes at most a tenth of a core.
 */
const pauseFactor = 9
const maxPauseMs = 10_000

/** Removes the files that stage accounts left behind, for several accounts at a time. */
export interface AccountSweeper {
  /** Resolves when nothing of this account is left. No stage may get the account before that. */
  sweep(uid: number): Promise<void>
  /** Runs the remaining work without pauses. */
  close(): Promise<void>
}

/**
 * Runs `remove` once at a time for all waiting accounts: with hundreds of thousands of files in
 * `/tmp`, each search takes half a second. The first run waits `gatherMs` for further accounts.
 * `remove` must not reject.
 */
export function createAccountSweeper(
  remove: (uids: readonly number[]) => Promise<void>,
  { gatherMs = 0 } = {},
): AccountSweeper {
  const closing = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
  let waiting: { uid: number; done: () => void }[] = []
  let working: Promise<void> | undefined
  const work = async () => {
    while (waiting.length > 0) {
      if (gatherMs > 0) await pause(gatherMs)
      const now = waiting
      waiting = []
      const begun = performance.now()
      await remove(now.map(({ uid }) => uid))
      for (const { done } of now) done()
      await pause(Math.min(maxPauseMs, (performance.now() - begun) * pauseFactor))
    }
    working = undefined
  }
  return {
    sweep(uid) {
      const swept = new Promise<void>((done) => waiting.push({ uid, done }))
      working ??= work()
      return swept
    },
    async close() {
      closing.abort()
      await working
    },
  }
}
