import { setTimeout as delay } from 'node:timers/promises'
import { findProcesses, type Target } from './find-processes.ts'
import { folderMark } from '../../machine/process-mark.ts'
import type { Started } from './starter.ts'
import { monotonicMs } from '../../lib/monotonic-time.ts'

/**
 * The time between TERM and KILL: long enough to print a message, short enough for a user who waits
 * for a cancel.
 */
const graceMs = 2000
const pollMs = 25

/**
 * Ends all processes of a step: sends TERM and, after the grace period, KILL until no process is
 * left (architecture.md "processes").
 */
export async function endProcesses(target: Target, grace = graceMs): Promise<void> {
  signalGroup(target.leader, 'SIGTERM')
  const signaled = new Set<number>()
  const deadline = monotonicMs() + grace
  let alive = await findAll(target)
  while (alive.length > 0 && monotonicMs() < deadline) {
    // Includes processes that started after the last scan.
    for (const pid of alive) if (!signaled.has(pid)) signal(pid, 'SIGTERM')
    for (const pid of alive) signaled.add(pid)
    await delay(pollMs)
    alive = await findAll(target)
  }
  signalGroup(target.leader, 'SIGKILL')
  // Repeats, because processes that are being killed can start others. Does not wait for processes
  // that the server is not permitted to kill (a step that used `sudo`), because that wait would
  // never end.
  while (alive.filter((pid) => signal(pid, 'SIGKILL')).length > 0) {
    await delay(pollMs)
    alive = await findAll(target)
  }
}

/**
 * Ends a step that has its own namespaces and whose first process is in the group of `leader`:
 * sends TERM, then KILL after the grace period. When the first process ends, the kernel ends all
 * others, even if they changed their session or environment.
 */
export async function endContained(leader: Started, grace = graceMs): Promise<void> {
  if (leader.isOver() || leader.pid === undefined) return
  const exit = leader.exit.catch(() => {})
  signalGroup(leader.pid, 'SIGTERM')
  await Promise.race([exit, delay(grace, undefined, { ref: false })])
  if (leader.isOver()) return
  signalGroup(leader.pid, 'SIGKILL')
  await exit
}

/**
 * Scans a second time if no process was found, because a process that is just starting another
 * program has no environment for a moment.
 */
async function findAll(target: Target): Promise<number[]> {
  const found = await findProcesses(target)
  return found.length > 0 ? found : findProcesses(target)
}

/** Runs at each start of the server: ends processes of an earlier run on this data folder. */
export async function endOrphans(dataDir: string, grace = graceMs): Promise<void> {
  await endProcesses({ mark: await folderMark(dataDir) }, grace)
}

function signalGroup(leader: number | undefined, name: NodeJS.Signals): void {
  if (leader !== undefined) signal(-leader, name)
}

/**
 * Returns false for a process with more rights than the server. A process that has already ended is
 * not an error.
 */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}
