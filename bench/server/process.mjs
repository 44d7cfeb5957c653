// Process statistics from the kernel (Linux).
import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

const fieldsOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number)
const ms = (ticks) => (ticks * 1000) / ticksPerSecond

/** The ids of its running child processes. */
export const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

/** The processor time that it has used, in milliseconds. */
export function cpuMs(pid) {
  const fields = fieldsOf(pid)
  return ms(fields[11] + fields[12])
}

/**
 * The processor time of its child processes: finished ones, and those that live as long as the
 * server (the spawner, git).
 */
export function cpuOfEnded(pid) {
  const own = fieldsOf(pid)
  const living = childrenOf(pid).flatMap((child) => {
    try {
      return fieldsOf(child).slice(11, 15)
    } catch {
      // It has ended in the meantime; the server's own counters will include it next time.
      return []
    }
  })
  return ms([own[13], own[14], ...living].reduce((sum, ticks) => sum + ticks, 0))
}

/** Its private memory, without shared file pages. */
export function memoryMiB(pid) {
  const found = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0) / 1024
}

/** The peak memory while `work` ran. */
export async function peakMiB(pid, work) {
  let peak = memoryMiB(pid)
  const timer = setInterval(() => (peak = Math.max(peak, memoryMiB(pid))), 20)
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}
