/**
 * The live lines of a running step. Opens its event stream again after a cut, also when the server answers with an error
 * meanwhile (an `EventSource` gives up then), closes it while the tab is hidden, and for good at `eof` (wire.md §4.5).
 */
import type { LogMeans } from './means.ts'

export type LiveState = 'connecting' | 'open' | 'cut' | 'ended'

export interface LiveListener {
  /** The data of some messages, in the order they came. */
  onRows: (rows: string[]) => void
  onState: (state: LiveState) => void
}

type StreamMeans = Pick<LogMeans, 'openStream' | 'later' | 'isHidden' | 'onVisibility'>

const firstWaitMs = 500
const longestWaitMs = 8000
/** Messages that come close together are handed on together. */
const batchMs = 12

export class LiveStream {
  readonly #url: string
  readonly #listener: LiveListener
  readonly #means: StreamMeans
  readonly #forgetVisibility: () => void
  #source: { close: () => void } | undefined
  #cancelOpening: (() => void) | undefined
  #cancelFlush: (() => void) | undefined
  #waitMs = firstWaitMs
  #rows: string[] = []
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
    this.#flush()
    this.#forgetVisibility()
  }

  #open(): void {
    this.#listener.onState('connecting')
    const source = this.#means.openStream(this.#url)
    this.#source = source
    // A source that was closed may have an event on its way.
    const isMine = () => this.#source === source
    source.addEventListener('open', () => {
      if (isMine()) this.#listener.onState('open')
    })
    source.addEventListener('message', (event) => {
      if (isMine() && event instanceof MessageEvent) this.#receive(String(event.data))
    })
    source.addEventListener('error', (event) => {
      if (!isMine()) return
      // The server's own event of that name has data; the browser's has none.
      if (event instanceof MessageEvent && String(event.data).trim() === 'eof') this.#end()
      else this.#reopenLater()
    })
  }

  #receive(data: string): void {
    if (data.trim() === 'eof') {
      this.#end()
      return
    }
    this.#waitMs = firstWaitMs
    this.#rows.push(data)
    this.#cancelFlush ??= this.#means.later(batchMs, () => this.#flush())
  }

  #flush(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    if (this.#rows.length === 0) return
    const rows = this.#rows
    this.#rows = []
    this.#listener.onRows(rows)
  }

  #drop(): void {
    this.#cancelOpening?.()
    this.#cancelOpening = undefined
    this.#source?.close()
    this.#source = undefined
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
    else if (!this.#source) {
      this.#cancelOpening?.()
      this.#open()
    }
  }
}
