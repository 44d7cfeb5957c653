import { closeSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { uptime } from 'node:os'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which others have their turn: a machine may have thousands of processes. */
const turn = 4

/** Reads a file of a process; empty where it is gone or not ours to read. What it answers is good until the next one is read. */
export type ReadFile = (file: string) => Buffer

/**
 * What `look` says of each process of the machine; none where there is no `/proc` (no Linux). `read('stat')` is that file of the
 * process. Read at once: through the pool of threads the same costs five times the processor's time, at the end of each step.
 */
export async function readProcesses<T>(look: (pid: number, read: ReadFile) => T): Promise<T[]> {
  const names = await readdir('/proc').catch(() => [])
  const found: T[] = []
  let begun = performance.now()
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    found.push(look(Number(name), (file) => bytesOf(`/proc/${name}/${file}`)))
    if (performance.now() - begun < turn) continue
    await setImmediate()
    begun = performance.now()
  }
  return found
}

/** Larger than most files. Shared: Node would allocate as much for each file that does not report its size. */
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

/** What the kernel counts a process's start in. */
const ticksPerSecond = 100

/**
 * The current time in the unit of process start times in `/proc/PID/stat`. If a container's `/proc` counts from the container's
 * start, it is too early: then more processes count as started since.
 */
export const ticksNow = (): number => Math.floor(uptime() * ticksPerSecond)

/** Begun at a moment of `ticksNow` or later; a second before counts, too. */
export const startedSince = (started: number, ticks: number): boolean => !(started < ticks - ticksPerSecond)
