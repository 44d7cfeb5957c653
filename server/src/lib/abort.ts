/**
 * `AbortSignal.timeout` for use in `AbortSignal.any`: Node 20 lets the garbage collector remove a
 * timeout that only such a combination refers to, and then it never ends. A listener prevents that.
 */
export function timeoutSignal(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}

/** Resolves when the signal is aborted; immediately if it already is. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
