import { Worker } from 'node:worker_threads'
import { ConfigError } from '../pipeline/doc.ts'
import { onceUsedUp } from '../lib/cpu-timeout.ts'
import type { Job } from './jobs.ts'

export interface ThreadLimits {
  /** The program: `worker.ts`, bundled. */
  script: string
  /** Milliseconds of one job. */
  time: number
  /** Megabytes of the thread's heap. */
  memory: number
}

/** A job was stopped because it exceeded a limit. The error build shows the message. */
export class TooExpensiveError extends ConfigError {}

/** A worker thread that runs one job at a time. It restarts with the next job after a failure. */
export class Thread {
  private readonly limits: ThreadLimits
  private worker: Promise<Worker> | undefined

  constructor(limits: ThreadLimits) {
    this.limits = limits
  }

  async run(job: Job): Promise<string> {
    try {
      const worker = await (this.worker ??= this.start())
      return await this.send(worker, job)
    } catch (error) {
      await this.end()
      throw error
    }
  }

  async end(): Promise<void> {
    const worker = this.worker
    this.worker = undefined
    await worker?.then(
      (running) => running.terminate(),
      () => {},
    )
  }

  private start(): Promise<Worker> {
    const worker = new Worker(this.limits.script, {
      // The thread does not see the server's arguments and environment, which can hold secrets.
      argv: [],
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memory, maxYoungGenerationSizeMb: 32 },
    })
    // An idle thread must not keep the server from exiting.
    worker.unref()
    return new Promise((resolve, reject) => {
      worker.once('message', () => resolve(worker))
      worker.on('error', reject)
      worker.once('exit', (code) => reject(new Error(`the pipeline file worker ended with ${code}`)))
    })
  }

  private send(worker: Worker, job: Job): Promise<string> {
    const { time, memory } = this.limits
    const ended = new AbortController()
    return new Promise<string>((resolve, reject) => {
      const { signal } = ended
      const on = (event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): void => {
        worker.once(event, listener)
        signal.addEventListener('abort', () => worker.off(event, listener))
      }
      on('message', (answer) => resolve(String(answer)))
      on('error', (error) => reject(isOutOfMemory(error) ? tooMuchMemory(memory) : error))
      on('exit', () => reject(new Error('the pipeline file worker ended')))
      onceUsedUp(time, signal, () =>
        reject(new TooExpensiveError(`yaml: the file takes too long to read (more than ${time / 1000} seconds)`)),
      )
      worker.postMessage(job)
    }).finally(() => ended.abort())
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooMuchMemory = (megabytes: number): TooExpensiveError =>
  new TooExpensiveError(`yaml: the file takes too much memory to read (more than ${megabytes} MB)`)
