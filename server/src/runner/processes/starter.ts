import { spawn, type ChildProcess } from 'node:child_process'
import { Writable } from 'node:stream'
import type { OutputPipe } from './output-pipes.ts'

/** A process that is to be started. */
export interface Order {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What it reads from descriptor 3. */
  variables?: string | undefined
  /** As whom, if not as we are. */
  ids?: { uid: number; gid: number } | undefined
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Started {
  /** Also the id of its group and of its session. */
  pid: number | undefined
  /** Fails where it could not be started. */
  exit: Promise<Exit>
  isOver(): boolean
}

/** Starts the processes of steps. */
export interface Starter {
  start(order: Order, pipe: OutputPipe): Promise<Started>
  close(): Promise<void>
}

/** `writer` becomes both outputs. Of other descriptors the process gets none. */
export function startProcess({ variables, ids, ...order }: Order, writer: number): ChildProcess {
  const child = spawn(order.command, order.args, {
    cwd: order.cwd,
    env: order.env,
    // Its own session and group, so that all of it can be signalled at once.
    detached: true,
    stdio: ['ignore', writer, writer, ...(variables === undefined ? [] : ['pipe' as const])],
    ...ids,
  })
  const pipe = child.stdio[3]
  if (pipe instanceof Writable) {
    // A process that ends before it has read them is not our failure.
    pipe.on('error', () => {})
    pipe.end(variables)
  }
  return child
}

/** By the process that asks. */
export const startHere: Starter['start'] = async (order, { writer }) => {
  const child = startProcess(order, writer)
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  // Looked at by others later; an early failure must not count as unhandled until then.
  exit.catch(() => {})
  return { pid: child.pid, exit, isOver: () => child.exitCode !== null || child.signalCode !== null }
}

export const startsHere: Starter = { start: startHere, close: async () => {} }
