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
  /** Where another process of ours finds it until `closeWriter`. */
  path: string
  /** To be called as soon as the child has it: the reader ends when the last writer has closed. */
  closeWriter(): void
}

/** Each is used once: who has kept one end of an old pipe has nothing of a new one. */
export interface Pipes {
  /** The account may open it as `/dev/stdout`. */
  open(account?: Account): Promise<OutputPipe>
  /** Removes those that nobody has used. */
  close(): Promise<void>
}

/** A pipe that cannot be removed is none of a step's business: the next start removes the folder. */
function discard(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!existsSync(path)) return
    logError('The pipe of a step could not be removed', error)
  }
}

/** A program makes them, and starting it costs as much for many as for one. */
const madeAtOnce = 32
const few = 8

/**
 * Real pipes. Node itself would give a child a socket for each output: no common order, and opening `/dev/stdout`
 * (as docs/api §8.1 has steps do) fails on sockets. `folder` is closed to everybody else; what lies there is removed.
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
      // On a full disk there may be some of them.
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
      // Before they are needed; who needs them hears of a failure.
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
        // Not blocking, because otherwise opening one side waits for the other.
        reading = openAs(constants.O_RDONLY | constants.O_NONBLOCK)
        writer = openAs(constants.O_WRONLY)
        // The step opens `/dev/stdout` as its own account.
        if (account) fchownSync(writer, account.uid, account.gid)
      } catch (error) {
        // Where files have run out, none may be kept for nothing.
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
