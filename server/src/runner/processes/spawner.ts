/**
 * The program that starts the processes of steps, as a small process of its own. The server's memory is mapped anew for each
 * process that it starts itself, and its one thread waits meanwhile: 5 ms at 140 MB (bench/README.md).
 *
 * It ends when the server does, by the end of their channel, and takes along whatever was to die with its parent.
 */
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { isRequest, type News, type Request } from './spawner-messages.ts'
import { startProcess } from './starter.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** What cannot be told any more is of no interest. */
const tell = (news: News) => process.send?.(news, undefined, undefined, () => {})

const closesOnExec = 0o2000000

/**
 * What whoever started the server left open comes down to each step otherwise, such as the file that a password is read from:
 * node shuts off only those without a gap from 0 on. All that is node's own is marked to be closed.
 */
function closeInherited(): void {
  const listing = '/proc/self/fd'
  const numbers = existsSync(listing) ? readdirSync(listing).map(Number) : []
  for (const number of numbers.filter((one) => one > 2)) {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'latin1'))?.[1]
      if (flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0) closeSync(number)
    } catch {
      // The listing's own is gone by now.
    }
  }
}

/** Never waits: when the server is gone, nobody has the other end any more. */
function openOutput(path: string): number {
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return openSync(path, constants.O_WRONLY)
  } finally {
    closeSync(reading)
  }
}

function start({ id, output, ...order }: Request): void {
  const fail = (error: unknown) => tell({ kind: 'failed', id, message: errorMessage(error) })
  try {
    const writer = openOutput(output)
    try {
      const child = startProcess(order, writer)
      child.once('error', fail)
      child.once('exit', (code, signal) => tell({ kind: 'ended', id, code, signal }))
      if (child.pid !== undefined) tell({ kind: 'started', id, pid: child.pid })
    } finally {
      closeSync(writer)
    }
  } catch (error) {
    fail(error)
  }
}

closeInherited()
// The server's own affair; it says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on('message', (message: unknown) => {
  if (isRequest(message)) start(message)
})
tell({ kind: 'ready' })
