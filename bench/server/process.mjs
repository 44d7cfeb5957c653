// Process statistics from the kernel (Linux).
import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

const fieldsOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number)
const ms = (ticks) => (ticks * 1000) / ticksPerSecond

/** Its children, which it has started itself and which live. */
export const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

/** Processor time that it has used so far, in milliseconds. */
export function cpuMs(pid) {
  const fields = fieldsOf(pid)
  return ms(fields[11] + fields[12])
}

/** The same of what it has started: what is over, and the processes that live as long as the server does (the spawner, git). */
export function cpuOfEnded(pid) {
  const own = fieldsOf(pid)
  const living = childrenOf(pid).flatMap((child) => {
    try {
      return fieldsOf(child).slice(11, 15)
    } catch {
      // It has ended meanwhile; the server's own counters will include it next time.
      return []
    }
  })
  return ms([own[13], own[14], ...living].reduce((sum, ticks) => sum + ticks, 0))
}

/** Its own memory, without what it shares with files. */
export function memoryMiB(pid) {
  const found = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0) / 1024
}

/** The most that it used while `work` ran. */
export async function peakMiB(pid, work) {
  let peak = memoryMiB(pid)
  const timer = setInterval(() => (peak = Math.max(peak, memoryMiB(pid))), 20)
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}
