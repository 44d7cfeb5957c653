import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { markVariable } from '../../machine/process-mark.ts'
import { isSpawnerMessage, type SpawnerMessage, type Request } from './spawner-messages.ts'
import { startHere, type Exit, type Order, type Started, type Starter } from './starter.ts'

/** The spawner's heap limit. It only stores messages that are in progress. */
const heapMegabytes = 32

interface Waiting {
  started(pid: number): void
  ended(exit: Exit): void
  failed(error: Error): void
}

interface Spawner {
  child: ChildProcess
  /** Whether it has sent a message, and so may have started a process. */
  hasSentMessage: boolean
  waiting: Map<number, Waiting>
}

/**
 * The spawner ended before it could start a process, so the command can safely be started in
 * another way.
 */
class NoSpawner extends Error {}

/**
 * Starts processes through a spawner (`spawner.ts`, bundled as `script`). A spawner that has ended
 * is replaced at the next order. If no spawner can be started (no memory, a replaced `node`
 * binary), the server starts the processes itself.
 */
export function createRemoteStarter(script: string): Starter {
  let current: Spawner | undefined
  let lastId = 0
  let closed = false

  function open(): Spawner {
    const child = fork(script, [], {
      // Passes no variables of the server except the mark: if the server itself runs in a step, the
      // cleanup of that step finds this process by it.
      env: pick(process.env, markVariable),
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C in the server's terminal must not reach the spawner.
      detached: true,
    })
    const spawner: Spawner = { child, hasSentMessage: false, waiting: new Map() }
    const failAll = () => {
      if (current === spawner) current = undefined
      const error = spawner.hasSentMessage ? new Error('the process that starts steps has ended') : new NoSpawner()
      for (const waiting of spawner.waiting.values()) waiting.failed(error)
      spawner.waiting.clear()
    }
    child.once('error', failAll)
    child.once('exit', failAll)
    child.on('message', (message: unknown) => {
      if (!isSpawnerMessage(message)) return
      spawner.hasSentMessage = true
      receive(spawner, message)
    })
    // The idle spawner must not keep the server from exiting.
    child.unref()
    child.channel?.unref()
    return spawner
  }

  function request(order: Order, output: string): Promise<Started> {
    const spawner = (current ??= open())
    const id = (lastId += 1)
    return new Promise<Started>((resolve, reject) => {
      let pid: number | undefined
      let over = false
      const exit = new Promise<Exit>((end, fail) => {
        spawner.waiting.set(id, {
          started(found) {
            pid = found
            resolve({ pid, exit, isOver: () => over })
          },
          ended(how) {
            over = true
            end(how)
          },
          failed(error) {
            over = true
            // The spawner that supervised the process has ended.
            if (pid !== undefined) endGroup(pid)
            fail(error)
            reject(error)
          },
        })
      })
      exit.catch(() => {})
      const request: Request = { id, output, ...order }
      // A failure to send is followed by the spawner's `exit` event.
      spawner.child.send(request, () => {})
    })
  }

  // Start the spawner now, while the server's memory is small.
  current = open()
  return {
    async start(order, pipe) {
      if (closed) return startHere(order, pipe)
      try {
        return await request(order, pipe.path)
      } catch (error) {
        if (error instanceof NoSpawner) return startHere(order, pipe)
        throw error
      }
    },
    async close() {
      closed = true
      const child = current?.child
      if (!child?.connected) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function receive({ waiting }: Spawner, message: SpawnerMessage): void {
  if (message.kind === 'ready') return
  const one = waiting.get(message.id)
  if (message.kind === 'started') return one?.started(message.pid)
  waiting.delete(message.id)
  if (message.kind === 'ended') one?.ended({ code: message.code, signal: message.signal })
  else one?.failed(new Error(message.message))
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

const pick = (all: NodeJS.ProcessEnv, name: string): NodeJS.ProcessEnv => (all[name] ? { [name]: all[name] } : {})
