/**
 * For tests: how long a call waits, in processor time of the server, so that a busy machine does
 * not matter.
 */
import { atUsualSpeed, processorMsOf, workMsOf } from './machine-speed.mjs'

/** Resolves when the server has no work other than responding to `ask`. */
export async function untilIdle(serverPid: number, request: () => Promise<Response>): Promise<void> {
  for (let cheap = 0; cheap < 20;) {
    const beforeMs = processorMsOf(serverPid)
    await (await request()).arrayBuffer()
    cheap = processorMsOf(serverPid) - beforeMs < 5 ? cheap + 1 : 0
  }
}

/**
 * Polls while `work` runs; returns the milliseconds of server work for which each response waited,
 * in increasing order: those above 20 ms as the reference machine would need them.
 */
export async function waitsDuring(
  serverPid: number,
  request: () => Promise<Response>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const over = new AbortController()
  const done = work().finally(() => over.abort())
  const waits: number[] = []
  while (!over.signal.aborted) {
    const beforeMs = workMsOf(serverPid)
    const response = await request()
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`answered ${response.status} during the work`)
    const waitMs = Math.max(0, workMsOf(serverPid) - beforeMs)
    waits.push(waitMs > 20 ? atUsualSpeed(waitMs) : waitMs)
  }
  await done
  return waits.toSorted((a, b) => a - b)
}

/** The longest of these waits. */
export const maxWaitDuring = async (...all: Parameters<typeof waitsDuring>): Promise<number> =>
  (await waitsDuring(...all)).at(-1) ?? 0
