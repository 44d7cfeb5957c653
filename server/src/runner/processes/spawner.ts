/**
 * A small program that starts the processes of steps. If the server started them itself, each start
 * would copy its memory map and block its thread: 5 ms at 140 MB (bench/README.md).
 * It exits with the server, when their channel closes, and ends processes that must not outlive it.
 */
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { isRequest, type SpawnerMessage, type Request } from './spawner-messages.ts'
import { startProcess } from './starter.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** Messages that can no longer be sent are dropped. */
const post = (message: SpawnerMessage) => process.send?.(message, undefined, undefined, () => {})

const closesOnExec = 0o2000000

/**
 * Marks inherited files close-on-exec, for example a password file that the process that started
 * the server left open. Otherwise each step would inherit them: Node closes only the descriptors up
 * to the first gap. All of Node's own files are close-on-exec.
 */
function closeInherited(): void {
  const listing = '/proc/self/fd'
  const numbers = existsSync(listing) ? readdirSync(listing).map(Number) : []
  for (const number of numbers.filter((one) => one > 2)) {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'latin1'))?.[1]
      if (flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0) closeSync(number)
    } catch {
      // The descriptor of the listing itself is already closed.
    }
  }
}

/** Never blocks. The pipe has no reader after the server has ended. */
function openOutput(path: string): number {
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return openSync(path, constants.O_WRONLY)
  } finally {
    closeSync(reading)
  }
}

function start({ id, output, ...order }: Request): void {
  const fail = (error: unknown) => post({ kind: 'failed', id, message: errorMessage(error) })
  try {
    const writer = openOutput(output)
    try {
      const child = startProcess(order, writer)
      child.once('error', fail)
      child.once('exit', (code, signal) => post({ kind: 'ended', id, code, signal }))
      if (child.pid !== undefined) post({ kind: 'started', id, pid: child.pid })
    } finally {
      closeSync(writer)
    }
  } catch (error) {
    fail(error)
  }
}

closeInherited()
// The server handles these signals, and closes the channel when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on('message', (message: unknown) => {
  if (isRequest(message)) start(message)
})
post({ kind: 'ready' })
