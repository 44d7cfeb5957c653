import type { ChildProcess } from 'node:child_process'

/**
 * Ends a process that was started `detached`, with the processes that it has started. Does nothing
 * where it has ended already.
 */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has just ended.
  }
}
