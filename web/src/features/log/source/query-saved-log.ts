/**
 * Reads a saved log that no console shows into a separate worker, sends it one query and terminates
 * it.
 */
import type { ToWorker } from '../engine/protocol.ts'
import type { StepAddress } from '../step/step-address.ts'
import { browserEnvironment, type LogEnvironment } from './environment.ts'
import { readSavedLog } from './saved-log.ts'
import type { FromLogWorker } from './worker-protocol.ts'

export type SavedLogEnvironment = Pick<LogEnvironment, 'fetch' | 'startWorker'>

export interface SavedLogQuery<T> {
  address: StepAddress
  /** The maximum size of the decoded response; longer logs are not read to their end. */
  maxBytes: number
  question: ToWorker
  /** Returns the response if this message of the worker is one. */
  answerOf: (message: FromLogWorker) => T | undefined
  /** Called with the number of bytes received. */
  onBytes?: (bytes: number) => void
}

/** Undefined if the log is too long. Throws like `readSavedLog`. */
export const querySavedLog = async <T>(
  { address, maxBytes, question, answerOf, onBytes }: SavedLogQuery<T>,
  signal: AbortSignal,
  environment: SavedLogEnvironment = browserEnvironment,
): Promise<T | undefined> => {
  const stopped = new AbortController()
  let bytes = 0
  let stop = (): void => undefined
  const found = new Promise<T>((resolve, reject) => {
    const worker = environment.startWorker((message) => {
      if (message.type === 'saved') worker.post(question)
      const answer = answerOf(message)
      if (answer !== undefined) resolve(answer)
    }, reject)
    stop = worker.stop
    worker.post({ type: 'saved-begin' })
    const read = readSavedLog(environment, address, AbortSignal.any([signal, stopped.signal]), (piece) => {
      bytes += piece.length
      onBytes?.(bytes)
      if (bytes > maxBytes) stopped.abort()
      else worker.post({ type: 'saved-bytes', bytes: piece }, [piece.buffer])
    })
    read.then(() => worker.post({ type: 'saved-end' }), reject)
    // No caller is waiting any more, even if the worker is still reading.
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  try {
    return await found
  } catch (error) {
    if (bytes > maxBytes) return undefined
    throw error
  } finally {
    stop()
  }
}
