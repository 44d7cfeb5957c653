import type { Socket } from 'node:net'
import { constants } from 'node:os'
import type { Account } from '../../machine/account.ts'
import { endContained, endProcesses } from './end-processes.ts'
import { markValue, markVariable, newMark } from '../../machine/process-mark.ts'
import { ticksNow } from '../../machine/processes.ts'
import type { Pipes } from './output-pipes.ts'
import { startsHere, type Exit, type Started, type Starter } from './starter.ts'
import { logError } from '../../lib/log.ts'

/** After all processes have ended, how long to wait for a writer that cannot be found. */
const drainMs = 1000

export interface RunOptions {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What the command reads from descriptor 3: the step's variables, if `env` is that of its helpers. */
  variables?: string | undefined
  /** The command is the first process of a namespace: all processes that it starts end with it. */
  contained?: boolean
  /** For its output. */
  pipes: Pipes
  /** What starts it; this process itself if it is left out. */
  starter?: Starter
  /** `folderMark` of the data folder. */
  folderMark: string
  account?: Account
  /** The command changes to the account by its own means. */
  changesAccount?: boolean
  /** Ends the process and everything that it started. */
  signal: AbortSignal
  /** The next chunk is read when this one is handled: a slow or failing log store makes the step wait. */
  onOutput(bytes: Uint8Array): Promise<void>
}

export interface RunResult {
  /** As in a shell: 128 + the signal's number for a process that was killed. */
  code: number
  /** It was ended through `signal`. */
  killed: boolean
}

/** Runs one command in a separate process group; resolves when all its processes have ended. */
export async function runProcess(options: RunOptions): Promise<RunResult> {
  const mark = newMark(options.folderMark)
  const since = ticksNow()
  const pipe = await options.pipes.open(options.account)
  const becomes = options.account && !options.contained && !options.changesAccount
  const ids = options.account && becomes ? { uid: options.account.uid, gid: options.account.gid } : undefined
  let child: Started
  try {
    const { command, args, cwd, variables } = options
    const env = { ...options.env, [markVariable]: markValue(mark) }
    child = await (options.starter ?? startsHere).start({ command, args, cwd, env, variables, ids }, pipe)
  } catch (error) {
    pipe.reader.destroy()
    // It may have started nevertheless.
    await endProcesses({ mark, since })
    throw error
  } finally {
    pipe.closeWriter()
  }
  const reading = readAll(pipe.reader, (bytes) => options.onOutput(bytes))
  reading.done.catch(() => {})

  let killed = false
  const target = { mark, leader: child.pid, since }
  const end = () => (options.contained ? endContained(child) : endProcesses(target))
  const stop = () => {
    killed = true
    void end().catch((error: unknown) => logError('A process could not be ended', error))
  }
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop, { once: true })
  // Output that cannot be stored ends the step, since its log would be lost.
  reading.done.catch(end).catch((error: unknown) => logError('A process could not be ended', error))

  try {
    let exit: Exit
    try {
      exit = await child.exit
    } finally {
      // What it left in the background ends with it.
      if (!options.contained) await endProcesses(target)
    }
    reading.stopWhenIdle(drainMs)
    await reading.done
    const code = exit.code ?? 128 + signalNumber(exit.signal)
    return { code, killed }
  } finally {
    options.signal.removeEventListener('abort', stop)
    pipe.reader.destroy()
  }
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
