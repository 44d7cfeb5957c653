/**
 * The last second that a `Date` can represent. Later times cannot be shown, and JSON turns
 * `Infinity` into `null`.
 */
const maxSeconds = 8_640_000_000_000

/**
 * Parses git's digits as Unix seconds. Pushes decide the text, so an invalid or missing time is 0.
 */
export function secondsOf(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : 0
  return seconds <= maxSeconds ? seconds : 0
}

/**
 * The time in `NAME <ADDRESS> SECONDS ZONE`, parsed as git does: 0 without digits and the beginning
 * of a zone.
 */
export function timeOfPerson(line: string): number {
  const [, digits = ''] = /^[ \t\v\f\r]*(\d+)[ \t\v\f\r]*[+-]\d/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  return secondsOf(digits)
}
