/**
 * The live lines of a running step. Opens its event stream again after a cut, also when the server answers with an error
 * meanwhile (an `EventSource` gives up then), closes it while the tab is hidden, and for good at `eof` (wire.md §4.5).
 */

export type LiveState = 'connecting' | 'open' | 'cut' | 'ended'

export interface LiveListener {
  /** The data of some messages, in the order they came. */
  onRows: (rows: string[]) => void
  onState: (state: LiveState) => void
}

const firstWaitMs = 500
const longestWaitMs = 8000
/** Messages that come close together are handed on together. */
const batchMs = 12

export class LiveStream {
  readonly #url: string
  readonly #listener: LiveListener
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushTimer: ReturnType<typeof setTimeout> | undefined
  #waitMs = firstWaitMs
  #rows: string[] = []
  #closed = false
  readonly #onVisibility = (): void => this.#followVisibility()

  constructor(url: string, listener: LiveListener) {
    this.#url = url
    this.#listener = listener
    document.addEventListener('visibilitychange', this.#onVisibility)
    if (document.visibilityState !== 'hidden') this.#open()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#drop()
    this.#flush()
    document.removeEventListener('visibilitychange', this.#onVisibility)
  }

  #open(): void {
    this.#listener.onState('connecting')
    const source = new EventSource(this.#url, { withCredentials: true })
    this.#source = source
    source.addEventListener('open', () => this.#listener.onState('open'))
    source.addEventListener('message', (event: MessageEvent<string>) => this.#receive(event.data))
    source.addEventListener('error', (event) => {
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
    this.#flushTimer ??= setTimeout(() => this.#flush(), batchMs)
  }

  #flush(): void {
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined
    if (this.#rows.length === 0) return
    const rows = this.#rows
    this.#rows = []
    this.#listener.onRows(rows)
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
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
    if (document.visibilityState === 'hidden') return
    this.#timer = setTimeout(() => this.#open(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
  }

  /** Browsers allow six connections to one host: a tab that nobody sees does not keep one. The server sends all again. */
  #followVisibility(): void {
    if (this.#closed) return
    if (document.visibilityState === 'hidden') this.#drop()
    else if (!this.#source) {
      clearTimeout(this.#timer)
      this.#open()
    }
  }
}
