/** For tests: whether a program works on this machine. */
import { spawnSync } from 'node:child_process'

/** Runs `program` with these arguments; false if it is not installed or fails. */
export const canRun = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
