/** The worker that holds one step's log. */
import { createLogWorker } from './log-worker.ts'
import type { FromLogWorker, ToLogWorker } from './worker-protocol.ts'

const handle = createLogWorker({
  post: (message: FromLogWorker, transfer: Transferable[] = []) => self.postMessage(message, { transfer }),
  fetch: (url, init) => fetch(url, init),
})

self.addEventListener('message', (event: MessageEvent<ToLogWorker>) => handle(event.data))
