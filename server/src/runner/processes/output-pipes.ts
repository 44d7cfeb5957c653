import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, existsSync, fchownSync, openSync, unlinkSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { logError } from '../../lib/log.ts'
import type { Account } from '../../machine/account.ts'

/** One pipe for both outputs of a process, so that their order is kept. */
export interface OutputPipe {
  reader: Socket
  /** For the child's standard output and standard error. */
  writer: number
  /** Its path until `closeWriter`, for another process of this server. */
  path: string
  /** Call it once the child has the pipe: the reader ends when the last writer closes. */
  closeWriter(): void
}

/** Each pipe is used once: a process that keeps one end gets nothing of later steps. */
export interface Pipes {
  /** `account` gets the right to open it as `/dev/stdout`. */
  open(account?: Account): Promise<OutputPipe>
  /** Removes unused pipes. */
  close(): Promise<void>
}

/** A pipe that cannot be removed does not fail the step: the next start removes the folder. */
function discard(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!existsSync(path)) return
    logError('The pipe of a step could not be removed', error)
  }
}

/** Pipes per `mkfifo` process, since starting it takes most of the time. */
const madeAtOnce = 32
const few = 8

/**
 * Creates named pipes. Node gives a child one socket per output: these have no common order, and `/dev/stdout` (docs/api §8.1) cannot be
 * opened on a socket. Removes the content of `folder` first, and allows no other user to enter it.
 */
export function createPipes(folder: string): Pipes {
  const paths: string[] = []
  const ready = rm(folder, { recursive: true, force: true })
  ready.catch(() => {})
  let making: Promise<void> | undefined

  async function make(): Promise<void> {
    await ready
    // Each time: the folder may have been deleted.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const made = Array.from({ length: madeAtOnce }, () => join(folder, randomUUID()))
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', ...made])
    } catch (error) {
      // On a full disk some may exist.
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
      // In advance. A later `open` reports the error if it lasts.
      if (paths.length < few) makeMore().catch(() => {})
      const opened: number[] = []
      const openAs = (flags: number): number => {
        const side = openSync(path, flags)
        opened.push(side)
        return side
      }
      let reading: number
      let writer: number
      try {
        // Non-blocking: otherwise opening one side waits for the other.
        reading = openAs(constants.O_RDONLY | constants.O_NONBLOCK)
        writer = openAs(constants.O_WRONLY)
        // The step opens `/dev/stdout` as its own account.
        if (account) fchownSync(writer, account.uid, account.gid)
      } catch (error) {
        // Leak no descriptors when they have run out.
        for (const side of opened) closeSync(side)
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
