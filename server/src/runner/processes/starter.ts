import { spawn, type ChildProcess } from 'node:child_process'
import { Writable } from 'node:stream'
import type { OutputPipe } from './output-pipes.ts'

/** A process to start. */
export interface Order {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What the process reads from descriptor 3. */
  variables?: string | undefined
  /** The user and group, if not those of this process. */
  ids?: { uid: number; gid: number } | undefined
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Started {
  /** Also the id of its process group and session. */
  pid: number | undefined
  /** Rejects if the process could not be started. */
  exit: Promise<Exit>
  isOver(): boolean
}

/** Starts the processes of steps. */
export interface Starter {
  start(order: Order, pipe: OutputPipe): Promise<Started>
  close(): Promise<void>
}

/** `writer` becomes both outputs. The process gets no other descriptors. */
export function startProcess({ variables, ids, ...order }: Order, writer: number): ChildProcess {
  const child = spawn(order.command, order.args, {
    cwd: order.cwd,
    env: order.env,
    // Its own session and group, so that all its processes can be signaled at once.
    detached: true,
    stdio: ['ignore', writer, writer, ...(variables === undefined ? [] : ['pipe' as const])],
    ...ids,
  })
  const pipe = child.stdio[3]
  if (pipe instanceof Writable) {
    // A process can end before it has read them. That is not an error.
    pipe.on('error', () => {})
    pipe.end(variables)
  }
  return child
}

/** Starts processes as children of this process. */
export const startHere: Starter['start'] = async (order, { writer }) => {
  const child = startProcess(order, writer)
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  // Callers handle this later; until then an early rejection must not count as unhandled.
  exit.catch(() => {})
  return { pid: child.pid, exit, isOver: () => child.exitCode !== null || child.signalCode !== null }
}

export const startsHere: Starter = { start: startHere, close: async () => {} }
