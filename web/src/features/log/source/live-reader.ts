/**
 * The worker's part of a live log: reads the event stream itself, so that ten thousand lines a
 * second never pass through the main thread. The page decides when it is opened and reopened.
 */
import { readEventStream } from '../../../api/event-stream.ts'
import { personHeader } from '../../../api/person-header.ts'
import { EndWatch } from '../engine/frames.ts'
import type { FromReader, ToReader } from './worker-protocol.ts'

export interface LiveFeed {
  onBegin: () => void
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface Connection {
  number: number
  closing: AbortController
  allow: () => void
}

export class LiveReader {
  readonly #post: (message: FromReader) => void
  readonly #feed: LiveFeed
  readonly #fetch: Fetch
  #connection: Connection | undefined

  constructor(post: (message: FromReader) => void, feed: LiveFeed, fetch: Fetch) {
    this.#post = post
    this.#feed = feed
    this.#fetch = fetch
  }

  handle(message: ToReader): void {
    const current = this.#connection?.number === message.connection ? this.#connection : undefined
    if (message.type === 'live-open') this.#open(message)
    else if (message.type === 'live-allow') current?.allow()
    else current?.closing.abort()
  }

  #open({ connection: number, url }: { connection: number; url: string }): void {
    this.#connection?.closing.abort()
    const closing = new AbortController()
    let allow = (): void => undefined
    const allowed = new Promise<void>((resolve) => (allow = resolve))
    this.#connection = { number, closing, allow }
    /** The page checks whom the response is for before any of it is read. */
    const fetch: Fetch = async (input, init) => {
      const response = await this.#fetch(input, init)
      this.#post({ type: 'live-answer', connection: number, person: response.headers.get(personHeader) })
      await allowed
      return response
    }
    const end = new EndWatch()
    let hasData = false
    const listener = {
      signal: closing.signal,
      onOpen: () => {
        this.#feed.onBegin()
        this.#post({ type: 'live-opened', connection: number })
      },
      onBytes: (bytes: Uint8Array<ArrayBuffer>) => {
        const seen = end.sees(bytes)
        // If a server only sends errors, the backoff keeps growing.
        if (seen !== 'cut') hasData = true
        this.#feed.onBytes(bytes)
        return seen
      },
    }
    void readEventStream(url, listener, fetch).then((how) =>
      this.#post({ type: 'live-end', connection: number, end: how, hasData }),
    )
  }
}
