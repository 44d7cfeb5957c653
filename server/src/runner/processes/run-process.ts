import type { Socket } from 'node:net'
import { constants } from 'node:os'
import type { Account } from '../../machine/account.ts'
import { endContained, endProcesses } from './end-processes.ts'
import { markValue, markVariable, newMark } from '../../machine/process-mark.ts'
import { ticksNow } from '../../machine/processes.ts'
import type { Pipes } from './output-pipes.ts'
import { startsHere, type Exit, type Started, type Starter } from './starter.ts'
import { logError } from '../../lib/log.ts'

/** How long to wait, after all processes have ended, for a writer that cannot be found. */
const drainMs = 1000

export interface RunOptions {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /**
   * What the command reads from descriptor 3: the step's variables if `env` is the environment of
   * its helpers.
   */
  variables?: string | undefined
  /**
   * The command is the first process of its own PID namespace, so all processes that it starts end
   * with it.
   */
  contained?: boolean
  pipes: Pipes
  /** Starts the process. Without it this process starts it. */
  starter?: Starter
  /** The `folderMark` of the data folder. */
  folderMark: string
  account?: Account
  /** Whether the command changes to the account itself. */
  changesAccount?: boolean
  /** Ends the process and all processes that it started. */
  signal: AbortSignal
  /**
   * The next chunk is read after this one is handled, so a slow or failing log store makes the step
   * wait.
   */
  onOutput(bytes: Uint8Array): Promise<void>
}

export interface RunResult {
  /** As in a shell, 128 + the number of the signal if the process was killed. */
  code: number
  /** Whether it was ended through `signal`. */
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
    // The process may have started despite the error.
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
  // Ends the step if output cannot be stored, because its log would be lost.
  reading.done.catch(end).catch((error: unknown) => logError('A process could not be ended', error))

  try {
    let exit: Exit
    try {
      exit = await child.exit
    } finally {
      // End the background processes too.
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
      // The reader was destroyed here, because a writer that cannot be found kept it open.
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
