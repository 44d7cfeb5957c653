/**
 * Estimates the server's clock from the `Date` header of its responses: build times are the
 * server's, and a browser's clock may be minutes off. `Date` has whole seconds and the network adds
 * a delay, so each response gives a range, which narrows the estimate.
 */
interface Range {
  low: number
  high: number
}

const everything: Range = { low: -Infinity, high: Infinity }
const both = (first: Range, second: Range): Range => ({
  low: Math.max(first.low, second.low),
  high: Math.min(first.high, second.high),
})
const isRange = ({ low, high }: Range): boolean => low <= high

/**
 * The local clock was set, or the machine slept: its two clocks differ by more than slewing
 * explains. In milliseconds.
 */
const setBy = 500

export class ServerClock {
  /** How many milliseconds the server is ahead of this machine. */
  #known = everything
  #base = 0

  /**
   * `sent` and `received` are local times in milliseconds: the response was created between them.
   * `steady` is the monotonic clock (`performance.now()`) when it was received.
   */
  addResponse(date: string | null, sent: number, received: number, steady: number): void {
    const at = Date.parse(date ?? '')
    const range: Range = { low: at - received, high: at + 1_000 - sent }
    // Not a date, or the local clock was set meanwhile.
    if (!isRange(range)) return
    const base = received - steady
    if (Math.abs(base - this.#base) > setBy) this.#known = everything
    this.#base = base
    const narrowed = both(this.#known, range)
    if (isRange(narrowed)) this.#known = narrowed
    // A response older than possible was cached; if this one is newer than the known range allows,
    // the earlier one was.
    else if (range.low > this.#known.high) this.#known = range
  }

  /** A clock that can be right is not corrected. */
  get offset(): number {
    const { low, high } = this.#known
    if (low <= 0 && high >= 0) return 0
    return Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : 0
  }
}
