/** A write with a stale `version` (wire.md §0 "optimistic lock"). The text is the API's. */
export class StaleVersionError extends Error {
  readonly status = 409
  constructor() {
    super('Optimistic Lock Error')
    this.name = 'StaleVersionError'
  }
}

/** The database was written by a later Flightdeck: this one would not know what it must keep intact. */
export class NewerVersionError extends Error {
  constructor(found: number, known: number) {
    super(
      `the database was made by a newer version of Flightdeck (its schema is ${found}, this version knows ${known}): start that version again, or use another data folder`,
    )
    this.name = 'NewerVersionError'
  }
}
