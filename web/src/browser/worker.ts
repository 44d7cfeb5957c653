import { pieceError } from './reload-once.ts'

/** The message types of a worker, known to its code and its owner. */
export interface WorkerMessages {
  to: unknown
  from: unknown
}

export interface WorkerOf<T extends WorkerMessages> {
  post: (message: T['to'], transfer?: Transferable[]) => void
  stop: () => void
}

/**
 * Communicates with a worker. A worker with a missing script never responds; `onBroken` receives
 * the reason and a hint for the user if the script fails to load or its code throws.
 */
export const connectWorker = <T extends WorkerMessages>(
  worker: Worker,
  onMessage: (message: T['from']) => void,
  onBroken: (error: Error) => void,
): WorkerOf<T> => {
  worker.addEventListener('message', (event: MessageEvent<T['from']>) => onMessage(event.data))
  worker.addEventListener('error', (event: Event) => {
    worker.terminate()
    // An error in the worker's code has a message; a missing script has none.
    if ('message' in event && event.message) onBroken(new Error('Something went wrong'))
    else void pieceError().then(onBroken)
  })
  return { post: (message, transfer = []) => worker.postMessage(message, transfer), stop: () => worker.terminate() }
}
