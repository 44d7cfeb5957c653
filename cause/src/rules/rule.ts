export interface Rule {
  /** The tool or topic; shown only in tests. */
  reason: string
  weight: number
  pattern: RegExp
  /** An error at a file position, so that similar lines are reported too. */
  ofPlaces?: boolean
  /** The number of following lines that describe the failure. */
  opens?: number
  /** The minimum weight of the next meaningful line. */
  next?: number
  /** The next line comes within this many lines. */
  soon?: number
  /** It is the very next line, even if that ends with a colon. */
  isNext?: boolean
  /** It is indented more than this one. */
  deeper?: boolean
  /** It is the first line that is not indented (Python tracebacks). */
  dedent?: boolean
}
