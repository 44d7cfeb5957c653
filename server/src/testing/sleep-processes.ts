/**
 * For tests: finds the `sleep` commands of steps among all processes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { isAlive } from './server-process.ts'

/**
 * The ids of all processes that run `sleep NAP`; no other program must sleep for `nap`.
 */
export function findSleepProcesses(nap: string): number[] {
  const isOne = (pid: number) => {
    try {
      return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === ['sleep', nap, ''].join('\0')
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isOne)
}
