/** What `/metrics` tells of this process beside the counts of the database. */

export interface AnsweredCall {
  method: string
  /** The pattern that served it, never an address: `/api/repos/:owner/:name`. */
  route: string
  status: number
  /** Until the answer began. */
  seconds: number
}

export interface Figures {
  observe(call: AnsweredCall): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
}
