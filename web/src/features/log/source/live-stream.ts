/**
 * Decides when the worker reads the live lines of a running step. The stream is reopened after a
 * disconnection, an error or a timeout, closed while the tab is hidden, and closed finally at `eof`
 * (docs/api §4.5).
 */
import type { StreamEnd } from '../../../api/event-stream.ts'
import type { LogEnvironment } from './environment.ts'
import type { Connect } from './worker-streams.ts'

export type LiveState = 'connecting' | 'open' | 'cut' | 'ended'

export interface LiveListener {
  onState: (state: LiveState) => void
}

type StreamEnvironment = Pick<LogEnvironment, 'later' | 'isHidden' | 'onVisibility'> & { connect: Connect }

const firstWaitMs = 500
const maxWaitMs = 8000

export class LiveStream {
  readonly #url: string
  readonly #listener: LiveListener
  readonly #environment: StreamEnvironment
  readonly #forgetVisibility: () => void
  #connection: AbortController | undefined
  #cancelOpening: (() => void) | undefined
  #waitMs = firstWaitMs
  #closed = false

  constructor(url: string, listener: LiveListener, environment: StreamEnvironment) {
    this.#url = url
    this.#listener = listener
    this.#environment = environment
    this.#forgetVisibility = environment.onVisibility(() => this.#followVisibility())
    if (!environment.isHidden()) this.#open()
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
    const { signal } = connection
    const onOpen = () => this.#listener.onState('open')
    void this.#environment.connect({ url: this.#url, signal, onOpen }).then(({ end, hasData }) => {
      // A dropped connection can end later.
      if (this.#connection !== connection) return
      if (hasData) this.#waitMs = firstWaitMs
      if (end === 'over') this.#end()
      else this.#reopen(end)
    })
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

  #reopen(end: StreamEnd): void {
    this.#drop()
    if (this.#closed) return
    // Drone sends no pings on these streams, so a minute without output is not treated as a lost
    // connection.
    if (end === 'silent' && !this.#environment.isHidden()) {
      this.#open()
      return
    }
    this.#listener.onState('cut')
    if (this.#environment.isHidden()) return
    this.#cancelOpening = this.#environment.later(this.#waitMs, () => this.#open())
    this.#waitMs = Math.min(this.#waitMs * 2, maxWaitMs)
  }

  /**
   * Browsers allow six connections per host, so a hidden tab closes its stream. The server sends
   * everything again on reconnect.
   */
  #followVisibility(): void {
    if (this.#closed) return
    if (this.#environment.isHidden()) this.#drop()
    else if (!this.#connection) {
      this.#cancelOpening?.()
      this.#open()
    }
  }
}
