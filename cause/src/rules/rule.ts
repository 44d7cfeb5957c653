export interface Rule {
  /** Which tool says so, or what it is about; shown to nobody but in tests. */
  reason: string
  weight: number
  pattern: RegExp
  /** Says what is wrong in a place, so that others may be told of alike. */
  ofPlaces?: boolean
  /** What stands in so many lines behind it is about a failure. */
  opens?: number
  /** The next line that says anything is worth this, if no row says more of it. */
  next?: number
  /** It comes within so many lines, if it comes. */
  soon?: number
  /** It is the very next line, also if that ends with a colon. */
  isNext?: boolean
  /** It is indented more than this one. */
  deeper?: boolean
  /** That line is the first that is not indented (Python's traces). */
  dedent?: boolean
}
