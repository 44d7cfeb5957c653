/**
 * The live lines of a running step. Its event stream is read as bytes, which the worker takes apart: an `EventSource` would
 * call the page ten thousand times a second. Opened again after a cut or an error, closed while the tab is hidden, and for
 * good at `eof` (wire.md §4.5).
 */
import { EndWatch } from '../../lib/log/frames.ts'
import type { LogMeans } from './means.ts'

export type LiveState = 'connecting' | 'open' | 'cut' | 'ended'

export interface LiveListener {
  /** A new connection: the server sends all from the beginning. */
  onBegin: () => void
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void
  onState: (state: LiveState) => void
}

type StreamMeans = Pick<LogMeans, 'fetch' | 'later' | 'isHidden' | 'onVisibility'>

const firstWaitMs = 500
const longestWaitMs = 8000

export class LiveStream {
  readonly #url: string
  readonly #listener: LiveListener
  readonly #means: StreamMeans
  readonly #forgetVisibility: () => void
  #connection: AbortController | undefined
  #cancelOpening: (() => void) | undefined
  #waitMs = firstWaitMs
  #closed = false

  constructor(url: string, listener: LiveListener, means: StreamMeans) {
    this.#url = url
    this.#listener = listener
    this.#means = means
    this.#forgetVisibility = means.onVisibility(() => this.#followVisibility())
    if (!means.isHidden()) this.#open()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#drop()
    this.#forgetVisibility()
  }

  #open(): void {
    this.#listener.onState('connecting')
    const connection = new AbortController()
    this.#connection = connection
    void this.#read(connection.signal)
      .catch(() => false)
      .then((ended) => {
        // One that was dropped may come to its end later.
        if (this.#connection !== connection) return
        if (ended) this.#end()
        else this.#reopenLater()
      })
  }

  /** Answers whether the stream came to its end, in contrast to a cut. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const headers = { Accept: 'text/event-stream' }
    const response = await this.#means.fetch(this.#url, { headers, credentials: 'include', cache: 'no-store', signal })
    const reader = response.ok ? response.body?.getReader() : undefined
    if (!reader || signal.aborted) return false
    this.#listener.onState('open')
    this.#listener.onBegin()
    const end = new EndWatch()
    for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
      this.#waitMs = firstWaitMs
      const isEnd = end.sees(part.value)
      this.#listener.onBytes(part.value)
      if (isEnd) {
        void reader.cancel()
        return true
      }
    }
    return false
  }

  #drop(): void {
    this.#cancelOpening?.()
    this.#cancelOpening = undefined
    this.#connection?.abort()
    this.#connection = undefined
  }

  #end(): void {
    this.close()
    this.#listener.onState('ended')
  }

  #reopenLater(): void {
    this.#drop()
    if (this.#closed) return
    this.#listener.onState('cut')
    if (this.#means.isHidden()) return
    this.#cancelOpening = this.#means.later(this.#waitMs, () => this.#open())
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
  }

  /** Browsers allow six connections to one host: a tab that nobody sees does not keep one. The server sends all again. */
  #followVisibility(): void {
    if (this.#closed) return
    if (this.#means.isHidden()) this.#drop()
    else if (!this.#connection) {
      this.#cancelOpening?.()
      this.#open()
    }
  }
}
