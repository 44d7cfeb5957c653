/**
 * Searches builds in a thread, which starts with the first search and ends after a time without
 * searches.
 */
import { Worker } from 'node:worker_threads'
import type { FindJob, FoundIds } from './find.ts'
import type { FindAnswer, FindData } from './search-worker.ts'

export interface BuildSearch {
  /**
   * Only one search per user waits at a time: a new one replaces it, and the old one resolves to
   * `null`. Rejects with `SearchBusyError` when too many users wait.
   */
  find(job: FindJob): Promise<FoundIds | null>
  close(): Promise<void>
}

export class SearchBusyError extends Error {}

/** The maximum number of waiting searches. A search takes at most a fifth of a second. */
const maxWaiting = 50
const idleMs = 60_000
/** The heap limit of the thread. */
const heapMiB = 64
/** A search that takes longer means that the thread hangs. */
const hangMs = 10_000

interface Waiting {
  job: FindJob
  resolve: (found: FoundIds | null) => void
  reject: (error: unknown) => void
}

/** `script` is the bundled `search-worker.ts`. */
export const createBuildSearch = ({ database, script }: FindData & { script: string }): BuildSearch => {
  /** By user id, in order of arrival. */
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let current: Waiting | undefined
  let timer: NodeJS.Timeout | undefined

  const end = (error?: Error): Promise<unknown> => {
    clearTimeout(timer)
    const ended = worker
    worker = undefined
    current?.reject(error ?? new Error('The search has ended'))
    current = undefined
    return ended?.terminate() ?? Promise.resolve()
  }
  const start = (): Worker => {
    const workerData: FindData = { database }
    const made = new Worker(script, {
      workerData,
      argv: [],
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    })
    made.unref()
    const failed = (error: Error): void => {
      if (worker !== made) return
      void end(error)
      next()
    }
    made.on('error', failed)
    made.on('exit', () => failed(new Error('The search was interrupted')))
    made.on('message', (answer: FindAnswer) => {
      if (worker !== made) return
      const finished = current
      current = undefined
      if ('error' in answer) finished?.reject(new Error(answer.error))
      else finished?.resolve(answer)
      next()
    })
    return made
  }
  const watch = (ms: number, error?: Error): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      void end(error)
      next()
    }, ms)
    timer.unref()
  }
  function next(): void {
    if (current) return
    const [first] = waiting
    if (!first) {
      if (worker) watch(idleMs)
      return
    }
    const [person, search] = first
    waiting.delete(person)
    current = search
    try {
      worker ??= start()
      worker.postMessage(search.job)
      watch(hangMs, new Error('The search took too long'))
    } catch (error) {
      current = undefined
      search.reject(error)
      next()
    }
  }

  return {
    find: (job) =>
      new Promise((resolve, reject) => {
        const former = waiting.get(job.reader.id)
        former?.resolve(null)
        if (!former && waiting.size >= maxWaiting) {
          reject(new SearchBusyError('Too many people are searching right now'))
          return
        }
        waiting.set(job.reader.id, { job, resolve, reject })
        next()
      }),
    async close() {
      for (const { resolve } of waiting.values()) resolve(null)
      waiting.clear()
      await end()
    },
  }
}
