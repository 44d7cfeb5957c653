import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { Writable } from 'node:stream'
import type { Account } from '../../machine/account.ts'
import { endContained, endProcesses } from './end.ts'
import { markValue, markVariable, newMark } from '../../machine/mark.ts'
import type { Pipes } from './pipe.ts'

/** After the end of all processes, how long to wait for a writer that nobody can find. */
const drainMilliseconds = 1000

export interface RunOptions {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What the command reads from descriptor 3: the step's variables, if `env` is that of its helpers. */
  variables?: string | undefined
  /** The command is the first process of a namespace: whatever it started ends with it. */
  contained?: boolean
  /** For its output. */
  pipes: Pipes
  /** `folderMark` of the data folder. */
  folderMark: string
  account?: Account
  /** Ends the process and everything that it started. */
  signal: AbortSignal
  /** The next chunk is read when this one is dealt with: output that nobody can store makes the step wait. */
  onOutput(bytes: Uint8Array): Promise<void>
}

export interface RunResult {
  /** As a shell would tell it: 128 + the signal's number for a process that was killed. */
  code: number
  /** It was ended through `signal`. */
  killed: boolean
  /** Its namespace was told to have ended: nothing of it is left, whatever it has tried. */
  gone: boolean
}

/** Runs one command in a process group of its own; resolves when nothing of it lives any more. */
export async function runProcess(options: RunOptions): Promise<RunResult> {
  const mark = newMark(options.folderMark)
  const pipe = await options.pipes.open(options.account)
  let child: ChildProcess
  try {
    child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...options.env, [markVariable]: markValue(mark) },
      // Its own session and group, so that all of it can be signalled at once.
      detached: true,
      stdio: ['ignore', pipe.writer, pipe.writer, ...(options.variables === undefined ? [] : ['pipe' as const])],
      ...(options.account && !options.contained && { uid: options.account.uid, gid: options.account.gid }),
    })
  } catch (error) {
    pipe.reader.destroy()
    throw error
  } finally {
    pipe.closeWriter()
  }
  give(child, options.variables)
  const exit = exitOf(child)
  // Looked at by others later; an early failure must not count as unhandled until then.
  exit.catch(() => {})
  const reading = readAll(pipe.reader, (bytes) => options.onOutput(bytes))
  reading.done.catch(() => {})

  let killed = false
  const target = { mark, leader: child.pid }
  const end = () => (options.contained ? endContained(child) : endProcesses(target))
  const stop = () => {
    killed = true
    void end().catch(console.error)
  }
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop, { once: true })
  // Output that cannot be stored ends the step: nobody would ever see what it does.
  reading.done.catch(end).catch(console.error)

  try {
    const code = await exit
    // What it left in the background ends with it.
    if (!options.contained) await endProcesses(target)
    reading.stopWhenIdle(drainMilliseconds)
    await reading.done
    return { code, killed, gone: options.contained === true && !killed && child.signalCode === null }
  } finally {
    options.signal.removeEventListener('abort', stop)
    pipe.reader.destroy()
  }
}

/** A process that is gone before it has read them is no failure of ours. */
function give(child: ChildProcess, variables: string | undefined): void {
  const pipe = child.stdio[3]
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => {})
  pipe.end(variables)
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + signalNumber(signal)))
  })
}

const signalNumber = (signal: NodeJS.Signals | null): number => (signal ? constants.signals[signal] : 0)

function readAll(reader: Socket, onOutput: (bytes: Uint8Array) => Promise<void>) {
  let idle: NodeJS.Timeout | undefined
  let limit: number | undefined
  let busy = false
  const touch = () => {
    if (limit === undefined || busy) return
    clearTimeout(idle)
    idle = setTimeout(() => reader.destroy(), limit)
  }
  const done = (async () => {
    try {
      for await (const bytes of reader) {
        clearTimeout(idle)
        busy = true
        await onOutput(bytes)
        busy = false
        touch()
      }
    } catch (error) {
      // We destroyed it ourselves: a writer that cannot be found kept it open.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
    } finally {
      clearTimeout(idle)
    }
  })()
  return {
    done,
    stopWhenIdle(milliseconds: number) {
      limit = milliseconds
      touch()
    },
  }
}
