import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { chown, unlink } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { Account } from '../../machine/account.ts'

/** One pipe for both outputs of a process, so that their order is kept. */
export interface OutputPipe {
  reader: Socket
  /** For the child's standard output and standard error. */
  writer: number
  /** To be called as soon as the child has it: the reader ends when the last writer has closed. */
  closeWriter(): void
}

/**
 * A real pipe. Node itself would give a child a socket for each output: no common order, and opening `/dev/stdout`
 * (as docs/api §8.1 has steps do) fails on sockets.
 */
export async function openPipe(path: string, account?: Account): Promise<OutputPipe> {
  await promisify(execFile)('mkfifo', ['-m', '600', path])
  // The step opens `/dev/stdout` as its own account.
  if (account) await chown(path, account.uid, account.gid)
  // Not blocking, because otherwise opening one side waits for the other.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  await unlink(path)
  return {
    reader: new Socket({ fd: reading, readable: true, writable: false }),
    writer,
    closeWriter: () => closeSync(writer),
  }
}
