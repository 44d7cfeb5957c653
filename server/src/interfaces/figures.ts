/** Metrics of this process, besides the counts of the database. */

export interface AnsweredCall {
  method: string
  /** The pattern that served it, never an address: `/api/repos/:owner/:name`. */
  route: string
  status: number
  /** Until the answer began. */
  seconds: number
}

/** What a reader of build events misses: `skipped` one event, of whose build it gets a later state; `cut` all, until it connects again. */
export type MissedEvent = 'skipped' | 'cut'

export interface Figures {
  observe(call: AnsweredCall): void
  observeMissed(what: MissedEvent): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
}
