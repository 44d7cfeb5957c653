/** The log's worker: holds the log, answers requests, and reads the live stream. */
import { LogHost } from '../engine/host.ts'
import { LiveReader } from './live-reader.ts'
import type { FromLogWorker, ToLogWorker } from './worker-protocol.ts'

export interface LogWorkerParts {
  post: (message: FromLogWorker, transfer?: Transferable[]) => void
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Runs a task after pending messages. */
  later?: (task: () => void) => void
}

export const createLogWorker = ({ post, fetch, later }: LogWorkerParts): ((message: ToLogWorker) => void) => {
  const host = new LogHost(post, later)
  const feed = {
    onBegin: () => host.handle({ type: 'live-begin' }),
    onBytes: (bytes: Uint8Array<ArrayBuffer>) => host.handle({ type: 'live-bytes', bytes }),
  }
  const reader = new LiveReader(post, feed, fetch)
  return (message) => {
    switch (message.type) {
      case 'live-open':
      case 'live-allow':
      case 'live-close':
        return reader.handle(message)
      default:
        return host.handle(message)
    }
  }
}
