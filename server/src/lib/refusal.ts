/** The one kind of refusal: thrown anywhere, answered by `http` (docs/api §0 "error body"). */
/** A refusal with the status and the text that the API answers. */
export class Refusal extends Error {
  readonly status: number
  /** Seconds; for what may be tried again. */
  readonly retryAfter: number | undefined
  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** A write with a stale `version` (docs/api §0 "optimistic lock"). */
export class OptimisticLockError extends Refusal {
  constructor() {
    super(409, 'Optimistic Lock Error')
    this.name = 'OptimisticLockError'
  }
}
