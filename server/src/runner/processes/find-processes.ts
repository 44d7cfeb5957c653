import { carriesMark, markVariable } from '../../machine/process-mark.ts'
import { startedSince, readProcesses, type ReadFile } from '../../machine/processes.ts'

export interface Target {
  /**
   * The variable in the environment that marks the processes of one step or of a whole data folder.
   */
  mark: string
  /**
   * The step's first process. Members of its group or session belong to the step, whatever their
   * environment is.
   */
  leader?: number | undefined
  /**
   * A time just before the step started (`ticksNow`). Processes that started earlier do not belong
   * to the step.
   */
  since?: number
}

/** The running processes that belong to `target`. Finds none on systems without `/proc`. */
export async function findProcesses(target: Target): Promise<number[]> {
  const found = await readProcesses((pid, read) => (pid !== process.pid && belongs(read, target) ? pid : 0))
  return found.filter((pid) => pid > 0)
}

/** The index of the start time among the fields after the name. */
const startField = 19

/**
 * Processes that end during the scan, or that cannot be read because another user owns them, do not
 * belong to the step.
 */
function belongs(read: ReadFile, { mark, leader, since }: Target): boolean {
  const stat = read('stat').toString('latin1')
  // The format is `pid (name) state ppid group session …`; the name can contain spaces and
  // parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, , group, session] = fields
  if (!state || state === 'Z' || state === 'X') return false
  if (since !== undefined && !startedSince(Number(fields[startField]), since)) return false
  if (leader !== undefined && (group === String(leader) || session === String(leader))) return true
  const environ = read('environ')
  return environ.includes(markVariable) && carriesMark(environ.toString('latin1'), mark)
}
