/** Metrics of this process, in addition to the counts of the database. */

export interface AnsweredCall {
  method: string
  /** The pattern that served it, never an address: `/api/repos/:owner/:name`. */
  route: string
  status: number
  /** Until the response started. */
  seconds: number
}

/**
 * What a reader of build events missed: `skipped` one event, instead of which it gets a later state
 * of the build; `cut` the connection, until it reconnects.
 */
export type MissedEvent = 'skipped' | 'cut'

export interface Figures {
  observe(call: AnsweredCall): void
  observeMissed(what: MissedEvent): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
}
