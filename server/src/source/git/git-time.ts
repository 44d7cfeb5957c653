/** The last second that a `Date` can hold. What is beyond it nothing shows, and of `Infinity` JSON makes `null`. */
const maxSeconds = 8_640_000_000_000

/** Unix seconds from git's digits. Pushes decide the text; an invalid or missing time is 0. */
export function secondsOf(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : 0
  return seconds <= maxSeconds ? seconds : 0
}

/** Of `NAME <ADDRESS> SECONDS ZONE`, read as git does: without digits and the beginning of a zone it has none. */
export function timeOfPerson(line: string): number {
  const [, digits = ''] = /^[ \t\v\f\r]*(\d+)[ \t\v\f\r]*[+-]\d/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  return secondsOf(digits)
}
