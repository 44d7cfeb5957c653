import { whyGone } from './reload-once.ts'

/** What a worker is told and what it says. Its own code knows, and whoever starts it. */
export interface Talk {
  to: unknown
  from: unknown
}

export interface WorkerOf<T extends Talk> {
  post: (message: T['to'], transfer?: Transferable[]) => void
  stop: () => void
}

/**
 * Talks with a worker. One whose file is gone says nothing for ever; `onBroken` is told why, and what a reader can do, when
 * its file does not come or its code fails.
 */
export const talkWith = <T extends Talk>(
  worker: Worker,
  onMessage: (message: T['from']) => void,
  onBroken: (error: Error) => void,
): WorkerOf<T> => {
  worker.addEventListener('message', (event: MessageEvent<T['from']>) => onMessage(event.data))
  worker.addEventListener('error', (event: Event) => {
    worker.terminate()
    // A fault in its code comes with words; of a file that is missing nothing is said.
    if ('message' in event && event.message) onBroken(new Error('Something went wrong'))
    else void whyGone().then(onBroken)
  })
  return { post: (message, transfer = []) => worker.postMessage(message, transfer), stop: () => worker.terminate() }
}
