/**
 * For tests: how long a call waits, in processor time of the server, so that a busy machine does
 * not matter.
 */
import { existsSync, readFileSync } from 'node:fs'

/**
 * Milliseconds of processor time of a process's main thread; wall-clock time on other systems than
 * Linux.
 */
function processorMsOf(pid: number): number {
  const accounts = `/proc/${pid}/task/${pid}/schedstat`
  return existsSync(accounts) ? Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}

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
 * in increasing order.
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
    const beforeMs = processorMsOf(serverPid)
    const response = await request()
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`answered ${response.status} during the work`)
    waits.push(processorMsOf(serverPid) - beforeMs)
  }
  await done
  return waits.toSorted((a, b) => a - b)
}

/** The longest of these waits. */
export const maxWaitDuring = async (...all: Parameters<typeof waitsDuring>): Promise<number> =>
  (await waitsDuring(...all)).at(-1) ?? 0
