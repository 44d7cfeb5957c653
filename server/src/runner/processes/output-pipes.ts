import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, existsSync, fchownSync, openSync, unlinkSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { logError } from '../../lib/log.ts'
import type { Account } from '../../machine/account.ts'

/** One pipe for both standard output and standard error, so that their order is preserved. */
export interface OutputPipe {
  reader: Socket
  /** For the child's standard output and standard error. */
  writer: number
  /**
   * The path is valid until `closeWriter` is called. Another process of this server can open it.
   */
  path: string
  /** Call this when the child has the pipe. The reader ends when the last writer closes. */
  closeWriter(): void
}

/** Each pipe is used once, so a process that keeps one end open receives nothing of later steps. */
export interface Pipes {
  /** `account` can open the pipe as `/dev/stdout`. */
  open(account?: Account): Promise<OutputPipe>
  /** Removes unused pipes. */
  close(): Promise<void>
}

/**
 * A pipe that cannot be removed does not fail the step: the next start of the server removes the
 * folder.
 */
function discard(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!existsSync(path)) return
    logError('The pipe of a step could not be removed', error)
  }
}

/** Pipes per `mkfifo` process, because starting the process takes most of the time. */
const batchSize = 32
const minPrepared = 8

/**
 * Creates named pipes. By default, Node gives a child one socket for each output; then the two
 * outputs have no common order, and `/dev/stdout` (docs/api §8.1) cannot be opened. Removes the
 * content of `folder` first, and allows no other user to enter it.
 */
export function createPipes(folder: string): Pipes {
  const paths: string[] = []
  const ready = rm(folder, { recursive: true, force: true })
  ready.catch(() => {})
  let making: Promise<void> | undefined

  async function make(): Promise<void> {
    await ready
    // Runs every time, because the folder may have been deleted.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const made = Array.from({ length: batchSize }, () => join(folder, randomUUID()))
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', ...made])
    } catch (error) {
      // If the disk is full, some of the pipes may exist.
      for (const path of made) await rm(path, { force: true })
      throw error
    }
    paths.push(...made)
  }
  const makeMore = (): Promise<void> =>
    (making ??= make().finally(() => {
      making = undefined
    }))

  async function take(): Promise<string> {
    for (;;) {
      const path = paths.pop()
      if (path === undefined) await makeMore()
      else if (existsSync(path)) return path
    }
  }

  return {
    async open(account) {
      const path = await take()
      // Creates pipes in advance. If the error persists, a later `open` reports it.
      if (paths.length < minPrepared) makeMore().catch(() => {})
      const opened: number[] = []
      const openAs = (flags: number): number => {
        const fd = openSync(path, flags)
        opened.push(fd)
        return fd
      }
      let reading: number
      let writer: number
      try {
        // Non-blocking; otherwise opening one end waits for the other.
        reading = openAs(constants.O_RDONLY | constants.O_NONBLOCK)
        writer = openAs(constants.O_WRONLY)
        // The step opens `/dev/stdout` with its own account.
        if (account) fchownSync(writer, account.uid, account.gid)
      } catch (error) {
        // Close what was opened, for example if there are no descriptors left.
        for (const fd of opened) closeSync(fd)
        discard(path)
        throw error
      }
      return {
        reader: new Socket({ fd: reading, readable: true, writable: false }),
        writer,
        path,
        closeWriter() {
          closeSync(writer)
          discard(path)
        },
      }
    },
    async close() {
      await making?.catch(() => {})
      await ready.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}
