export interface Rule {
  /** The tool or topic; shown only in tests. */
  reason: string
  weight: number
  pattern: RegExp
  /** An error at a file position, so that similar lines are reported too. */
  ofPlaces?: boolean
  /** The number of following lines that describe the failure. */
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
