import { closeSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { uptime } from 'node:os'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which the scan yields: a machine may have thousands of processes. */
const maxTurnMs = 4

/**
 * Reads a file of a process; empty if it has disappeared or is not readable. The result is valid
 * until the next read.
 */
export type ReadFile = (file: string) => Buffer

/**
 * Maps all processes of the machine with `look`; empty without `/proc` (not Linux). `read('stat')`
 * reads that file of the process. Reads synchronously: the thread pool would take five times the
 * processor time, at the end of each step.
 */
export async function readProcesses<T>(inspect: (pid: number, read: ReadFile) => T): Promise<T[]> {
  const names = await readdir('/proc').catch(() => [])
  const found: T[] = []
  let begun = performance.now()
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    found.push(inspect(Number(name), (file) => bytesOf(`/proc/${name}/${file}`)))
    if (performance.now() - begun < maxTurnMs) continue
    await setImmediate()
    begun = performance.now()
  }
  return found
}

/**
 * Larger than most files. Shared, because Node would allocate this much for each file that does not
 * report its size.
 */
let page = Buffer.allocUnsafe(64 * 1024)

function bytesOf(path: string): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    for (let size = 0; ;) {
      const count = readSync(file, page, size, page.length - size, null)
      size += count
      if (count === 0) return page.subarray(0, size)
      if (size === page.length) page = Buffer.concat([page], size * 2)
    }
  } catch {
    return page.subarray(0, 0)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The unit of a process's start time. */
const ticksPerSecond = 100

/**
 * The current time in the unit of process start times in `/proc/PID/stat`. If a container's `/proc`
 * counts from the container's start, it is too early: then more processes count as started since.
 */
export const ticksNow = (): number => Math.floor(uptime() * ticksPerSecond)

/** Whether the process started at `ticksNow`, at most a second before it, or later. */
export const startedSince = (started: number, ticks: number): boolean => !(started < ticks - ticksPerSecond)
