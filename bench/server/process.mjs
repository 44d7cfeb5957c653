// What the kernel tells of a process (Linux).
import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Processor time that it has used so far, in milliseconds. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** The same of what it has started, as far as that is over. */
export function cpuOfEnded(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond
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
