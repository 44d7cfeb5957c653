/**
 * For tests: how long a call waits, in processor time of the server, so that a busy machine does
 * not matter.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atUsualSpeed, processorMsOf } from './machine-speed.mjs'

/** The option that loads a module of this folder into a server. */
export const importOf = (name: string): string => `--import=${pathToFileURL(join(import.meta.dirname, name)).href}`

/** The environment of a server whose waits are measured. */
export const waitProbe = { NODE_OPTIONS: importOf('wait-probe.mjs') }
/** The same, with the turns of its event loop in this file (loop-probe.mjs). */
export const waitAndLoopProbe = (file: string) => ({
  NODE_OPTIONS: `${importOf('wait-probe.mjs')} ${importOf('loop-probe.mjs')}`,
  LOOP_PROBE_FILE: file,
})

/**
 * The milliseconds of a server's work for which a response waited: those above 20 ms as the
 * reference machine would need them.
 */
async function waitOf(request: () => Promise<Response>): Promise<number> {
  const response = await request()
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`answered ${response.status} during the work`)
  const waited = response.headers.get('x-waited-ms')
  if (waited === null) throw new Error('the server runs without wait-probe.mjs')
  return Number(waited) > 20 ? atUsualSpeed(Number(waited)) : Number(waited)
}

/** Resolves when the server has no work other than responding to `request`. */
export async function untilIdle(serverPid: number, request: () => Promise<Response>): Promise<void> {
  for (let cheap = 0; cheap < 20;) {
    const beforeMs = processorMsOf(serverPid)
    await (await request()).arrayBuffer()
    cheap = processorMsOf(serverPid) - beforeMs < 5 ? cheap + 1 : 0
  }
}

/** Polls while `work` runs; returns how long each response waited, in increasing order. */
export async function waitsDuring(request: () => Promise<Response>, work: () => Promise<unknown>): Promise<number[]> {
  const over = new AbortController()
  const done = work().finally(() => over.abort())
  const waits: number[] = []
  while (!over.signal.aborted) waits.push(await waitOf(request))
  await done
  return waits.toSorted((a, b) => a - b)
}

/** The longest of these waits. */
export const maxWaitDuring = async (...all: Parameters<typeof waitsDuring>): Promise<number> =>
  (await waitsDuring(...all)).at(-1) ?? 0
