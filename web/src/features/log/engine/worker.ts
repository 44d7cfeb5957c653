/** The worker that keeps one step's log. */
import { LogHost } from './host.ts'
import type { FromWorker, ToWorker } from './protocol.ts'

const host = new LogHost((message: FromWorker, transfer: Transferable[] = []) =>
  self.postMessage(message, { transfer }),
)

self.addEventListener('message', (event: MessageEvent<ToWorker>) => host.handle(event.data))
