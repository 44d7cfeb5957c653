/**
 * The page's side of a live log whose stream a worker reads: requests connections and receives
 * their state.
 */
import type { StreamEnd } from '../../../api/event-stream.ts'
import { isForThisPage } from '../../../api/person.ts'
import type { FromReader, ToReader } from './worker-protocol.ts'

export interface StreamResult {
  end: StreamEnd
  /** Something has been received. */
  hasData: boolean
}

export interface StreamRequest {
  url: string
  signal: AbortSignal
  onOpen: () => void
}

export type Connect = (request: StreamRequest) => Promise<StreamResult>

export class WorkerStreams {
  readonly #send: (message: ToReader) => void
  readonly #open = new Map<number, { request: StreamRequest; resolve: (result: StreamResult) => void }>()
  #last = 0

  constructor(send: (message: ToReader) => void) {
    this.#send = send
  }

  readonly connect: Connect = (request) =>
    new Promise((resolve) => {
      const connection = ++this.#last
      this.#open.set(connection, { request, resolve })
      request.signal.addEventListener('abort', () => {
        if (this.#open.delete(connection)) this.#send({ type: 'live-close', connection })
      })
      this.#send({ type: 'live-open', connection, url: request.url })
    })

  receive(message: FromReader): void {
    const { connection } = message
    const open = this.#open.get(connection)
    if (!open) return
    switch (message.type) {
      case 'live-answer':
        // If the stream is for another user, the page reloads and reads nothing of it.
        if (isForThisPage(message.person)) this.#send({ type: 'live-allow', connection })
        return
      case 'live-opened':
        open.request.onOpen()
        return
      default:
        this.#open.delete(connection)
        open.resolve(message)
    }
  }
}
