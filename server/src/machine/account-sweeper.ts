import { setTimeout as delay } from 'node:timers/promises'

/** Between two runs, at least so many times as long as the one before took: a full `/tmp` costs a tenth of a core. */
const pauseFactor = 9
const maxPauseMs = 10_000

/** Clears away what the accounts of stages left, for several accounts at a time. */
export interface AccountSweeper {
  /** Resolves when nothing is left of this account, which no stage may get until then. */
  sweep(uid: number): Promise<void>
  /** Does what is still to be done without a pause. */
  close(): Promise<void>
}

/**
 * One run of `remove` at a time, for all accounts that wait: where hundreds of thousands of files lie in `/tmp`, each search takes
 * half a second. The first run waits `gatherMs` for further accounts. `remove` must not reject.
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
