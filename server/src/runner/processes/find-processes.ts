import { carriesMark, markVariable } from '../../machine/process-mark.ts'
import { startedSince, readProcesses, type ReadFile } from '../../machine/processes.ts'

export interface Target {
  /** The mark in the environment, of one step or of a whole data folder. */
  mark: string
  /** The step's first process: members of its group or session count, whatever their environment. */
  leader?: number | undefined
  /** A moment before the step started (`ticksNow`): processes that ran before are not part of it. */
  since?: number
}

/** The living processes that belong to `target`. Without `/proc` (no Linux) none are found. */
export async function findProcesses(target: Target): Promise<number[]> {
  const found = await readProcesses((pid, read) => (pid !== process.pid && belongs(read, target) ? pid : 0))
  return found.filter((pid) => pid > 0)
}

/** Position of the start time among the fields after the name. */
const startField = 19

/** Processes can end during the scan, and those of other users cannot be read: neither is ours. */
function belongs(read: ReadFile, { mark, leader, since }: Target): boolean {
  const stat = read('stat').toString('latin1')
  // `pid (name) state ppid group session …`; the name may hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, , group, session] = fields
  if (!state || state === 'Z' || state === 'X') return false
  if (since !== undefined && !startedSince(Number(fields[startField]), since)) return false
  if (leader !== undefined && (group === String(leader) || session === String(leader))) return true
  const environ = read('environ')
  return environ.includes(markVariable) && carriesMark(environ.toString('latin1'), mark)
}
