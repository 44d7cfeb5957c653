import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { markVariable } from '../../machine/process-mark.ts'
import { isSpawnerMessage, type SpawnerMessage, type Request } from './spawner-messages.ts'
import { startHere, type Exit, type Order, type Started, type Starter } from './starter.ts'

/** It keeps nothing but what is on its way. */
const megabytes = 32

interface Waiting {
  started(pid: number): void
  ended(exit: Exit): void
  failed(error: Error): void
}

interface Spawner {
  child: ChildProcess
  /** Whether it has ever sent a message, and so may have started a process. */
  spoke: boolean
  waiting: Map<number, Waiting>
}

/** The spawner ended before it could start anything, so the command can safely be started another way. */
class NoSpawner extends Error {}

/**
 * Starts processes through a spawner (`spawner.ts`, bundled as `script`). One that has ended is replaced at the next order; where none
 * can be had (no memory, a node that was replaced), the server starts them itself.
 */
export function createRemoteStarter(script: string): Starter {
  let current: Spawner | undefined
  let lastId = 0
  let closed = false

  function open(): Spawner {
    const child = fork(script, [], {
      // Passes no variables of the server. If the server itself runs in a step, the mark lets that step's cleanup find this process.
      env: pick(process.env, markVariable),
      execArgv: [`--max-old-space-size=${megabytes}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C in the server's terminal is not meant for it.
      detached: true,
    })
    const spawner: Spawner = { child, spoke: false, waiting: new Map() }
    const lose = () => {
      if (current === spawner) current = undefined
      const error = spawner.spoke ? new Error('the process that starts steps has ended') : new NoSpawner()
      for (const waiting of spawner.waiting.values()) waiting.failed(error)
      spawner.waiting.clear()
    }
    child.once('error', lose)
    child.once('exit', lose)
    child.on('message', (message: unknown) => {
      if (!isSpawnerMessage(message)) return
      spawner.spoke = true
      hear(spawner, message)
    })
    // It waits for work and must not keep the server from ending.
    child.unref()
    child.channel?.unref()
    return spawner
  }

  function ask(order: Order, output: string): Promise<Started> {
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
            // The spawner that should have supervised it has ended.
            if (pid !== undefined) endGroup(pid)
            fail(error)
            reject(error)
          },
        })
      })
      exit.catch(() => {})
      const request: Request = { id, output, ...order }
      // What goes wrong here is followed by its end.
      spawner.child.send(request, () => {})
    })
  }

  // Now, while the server is small.
  current = open()
  return {
    async start(order, pipe) {
      if (closed) return startHere(order, pipe)
      try {
        return await ask(order, pipe.path)
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

function hear({ waiting }: Spawner, news: SpawnerMessage): void {
  if (news.kind === 'ready') return
  const one = waiting.get(news.id)
  if (news.kind === 'started') return one?.started(news.pid)
  waiting.delete(news.id)
  if (news.kind === 'ended') one?.ended({ code: news.code, signal: news.signal })
  else one?.failed(new Error(news.message))
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It has died with its parent.
  }
}

const pick = (all: NodeJS.ProcessEnv, name: string): NodeJS.ProcessEnv => (all[name] ? { [name]: all[name] } : {})
