/**
 * Runs a regular expression in a separate worker, and terminates the worker when it does not
 * respond for 2 s.
 */
import type { FromPatternWorker, ToPatternWorker } from '../engine/protocol.ts'
import { connectWorker, type WorkerOf } from '../../../browser/worker.ts'
import { compile, type Query } from '../engine/query.ts'

const timeoutMs = 2000

export class PatternSearch {
  /** For the log's worker; undefined if the pattern is invalid. */
  readonly port: MessagePort | undefined
  readonly #worker: WorkerOf<{ to: ToPatternWorker; from: FromPatternWorker }> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: number, query: Query, onStopped: (message: string) => void) {
    try {
      compile(query)
    } catch {
      // The log's worker reports the reason.
      return
    }
    const channel = new MessageChannel()
    this.port = channel.port1
    const worker = new Worker(new URL('../engine/pattern-worker.ts', import.meta.url), { type: 'module' })
    const watch = (): void => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => {
        this.stop()
        onStopped('This pattern is too slow and was stopped')
      }, timeoutMs)
    }
    const onMessage = ({ type }: FromPatternWorker): void => {
      if (type === 'done') this.stop()
      else watch()
    }
    this.#worker = connectWorker(worker, onMessage, ({ message }) => {
      this.stop()
      onStopped(message)
    })
    this.#worker.post({ type: 'start', id, query, port: channel.port2 }, [channel.port2])
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.stop()
  }
}
