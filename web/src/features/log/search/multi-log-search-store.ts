import { halted, type MultiLogSearchState } from './multi-log-search.ts'

const nothing: Omit<MultiLogSearchState, 'of'> = {
  found: [],
  done: 0,
  total: 0,
  oldest: undefined,
  unread: 0,
  over: false,
  error: undefined,
}

/** The state of a search. Updates from an aborted search are ignored. */
export class MultiLogSearchStore {
  readonly #listeners = new Set<() => void>()
  readonly #of: MultiLogSearchState['of']
  #state: MultiLogSearchState
  #about: string | undefined
  #abort = new AbortController()

  constructor(of: MultiLogSearchState['of']) {
    this.#of = of
    this.#state = { ...nothing, of }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): MultiLogSearchState => this.#state

  #set(state: MultiLogSearchState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  /**
   * The signal of a new search; undefined if the search has the same arguments as the previous one.
   */
  start(about: string): AbortSignal | undefined {
    if (about === this.#about) return undefined
    this.#about = about
    this.#abort.abort()
    this.#abort = new AbortController()
    this.#set({ ...nothing, of: this.#of })
    return this.#abort.signal
  }

  /** Does nothing if the search was aborted. */
  update(signal: AbortSignal, change: (state: MultiLogSearchState) => Partial<MultiLogSearchState>): void {
    if (!signal.aborted) this.#set({ ...this.#state, ...change(this.#state) })
  }

  interrupt(): void {
    if (this.#state.over) return
    this.#abort.abort()
    // The next call restarts the search, even with the same arguments.
    this.#about = undefined
    this.#set({ ...this.#state, over: true, error: halted })
  }

  stop(): void {
    this.#about = undefined
    this.#abort.abort()
    this.#set({ ...nothing, of: this.#of })
  }
}
