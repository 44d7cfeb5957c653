/**
 * Searches saved and live logs, to find when a line first appeared. Each search has its own thread,
 * because only ending the thread stops a pattern that backtracks, and because reading a log of any
 * size must not block the event loop.
 */
import { Worker } from 'node:worker_threads'
import type { Query } from '@flightdeck/api'
import type { LogSearch, Searcher, StepResult } from '../../interfaces/logs.ts'
import { onceUsedUp } from '../../lib/cpu-timeout.ts'
import type { SearchData, StepAnswer, StepJob } from './search-jobs.ts'
import { createSearchQueue } from './search-queue.ts'

export interface LogSearchOptions {
  /** The bundled worker program. */
  script: string
  pathOf: (stepId: number) => string
  /** The timeout of a pattern without progress, in milliseconds. */
  cpuMs?: number
  /** Maximum milliseconds of a whole search. */
  time?: number
}

/** Maximum heap of a thread in megabytes. A line has at most one megabyte. */
const memory = 128

/** The thread's messages, in order; ends with the thread. */
function inboxOf(worker: Worker, ended: AbortSignal): () => Promise<StepAnswer | undefined> {
  const answers: StepAnswer[] = []
  let wake = (): void => undefined
  worker.on('message', (answer: StepAnswer) => {
    answers.push(answer)
    wake()
  })
  ended.addEventListener('abort', () => wake())
  return async () => {
    while (answers.length === 0 && !ended.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return answers.shift()
  }
}

function open(query: Query, options: Required<LogSearchOptions>, signal: AbortSignal): LogSearch {
  const { script, pathOf, cpuMs, time } = options
  const life = new Int32Array(new SharedArrayBuffer(4))
  const workerData: SearchData = { query, life }
  const worker = new Worker(script, {
    workerData,
    argv: [],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32 },
  })
  worker.unref()
  const ended = new AbortController()
  const next = inboxOf(worker, ended.signal)
  let stopped: 'pattern' | 'time' | undefined
  const end = (reason?: 'pattern' | 'time'): void => {
    stopped ??= reason
    ended.abort()
    void worker.terminate()
  }
  // Out of memory or a bug; either way the search cannot finish.
  worker.on('error', () => end('pattern'))
  worker.on('exit', () => ended.abort())
  if (signal.aborted) end()
  else signal.addEventListener('abort', () => end(), { once: true, signal: ended.signal })
  onceUsedUp(time, ended.signal, () => end('time'))

  /** Ends the search when a line takes too long. */
  function watch(done: AbortSignal): void {
    const before = Atomics.load(life, 0)
    onceUsedUp(cpuMs, done, () => {
      if (done.aborted) return
      if (Atomics.load(life, 0) === before) end('pattern')
      else watch(done)
    })
  }

  return {
    async *step(stepIds, maxHits): AsyncGenerator<StepResult> {
      const done = new AbortController()
      watch(AbortSignal.any([done.signal, ended.signal]))
      const job: StepJob = { paths: stepIds.map(pathOf), maxHits }
      if (!ended.signal.aborted) worker.postMessage(job)
      try {
        for (;;) {
          const answer = await next()
          if (!answer) {
            yield stopped && answer === undefined ? { stopped } : 'unread'
            return
          }
          yield answer.found
          if (answer.done) return
        }
      } finally {
        done.abort()
      }
    },
    close: () => end(),
  }
}

export function createLogSearch({ cpuMs = 2_000, time = 30_000, ...given }: LogSearchOptions) {
  const line = createSearchQueue({ concurrency: 2, maxWaiting: 3, maxGuests: 20 })
  return async (searcher: Searcher, query: Query, signal: AbortSignal): Promise<LogSearch | null> => {
    const leave = await line.enter(searcher, signal)
    if (!leave) return null
    let search: LogSearch
    try {
      search = open(query, { ...given, cpuMs, time }, signal)
    } catch (error) {
      // No thread could be started; a later search may succeed.
      leave()
      throw error
    }
    return {
      ...search,
      close() {
        search.close()
        leave()
      },
    }
  }
}
