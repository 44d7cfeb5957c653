import { readdir, readFile } from 'node:fs/promises'
import { carriesMark } from '../../machine/mark.ts'

export interface Target {
  /** The mark in the environment, of one step or of a whole data folder. */
  mark: string
  /** The first process of the step: what still is in its group or session counts, whatever its environment says. */
  leader?: number
}

/** The living processes that belong to `target`. Without `/proc` (no Linux) none are found. */
export async function findProcesses(target: Target): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
  const found = await Promise.all(pids.map((pid) => belongs(pid, target)))
  return pids.filter((_, index) => found[index]).map(Number)
}

async function belongs(pid: string, { mark, leader }: Target): Promise<boolean> {
  // Processes end while we look, and those of other people cannot be read: neither is ours.
  const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  const marked = environ !== '' && carriesMark(environ, mark)
  if (!marked && leader === undefined) return false
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // `pid (name) state ppid group session …`; the name may hold blanks and brackets.
  const [state, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!state || state === 'Z' || state === 'X') return false
  return marked || group === String(leader) || session === String(leader)
}
