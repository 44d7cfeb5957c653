import { whyGone } from './reload-once.ts'

/**
 * Listens to a worker. One whose file is gone says nothing for ever; `onBroken` is told why, and what a reader can do, when
 * its file does not come or its code fails.
 */
// The worker's own code says what it sends; whoever starts it knows.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const hearWorker = <Message>(
  worker: Worker,
  onMessage: (message: Message) => void,
  onBroken: (error: Error) => void,
): void => {
  worker.addEventListener('message', (event: MessageEvent<Message>) => onMessage(event.data))
  worker.addEventListener('error', (event: Event) => {
    worker.terminate()
    // A fault in its code comes with words; of a file that is missing nothing is said.
    if ('message' in event && event.message) onBroken(new Error('Something went wrong'))
    else void whyGone().then(onBroken)
  })
}
