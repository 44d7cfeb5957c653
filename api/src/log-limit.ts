/** The sentence that ends a log at its limit: the server writes it, and the page finds it again. */

const megabyte = 1024 * 1024
const notice =
  /^\n\[the log of this step ends here: it has reached its limit of (\d{1,15} (?:MB|bytes))(?: \(--log-limit\))?\]\n$/

/** An entry of its own, with the line end of the one before it, as no entry of a step begins. */
export const endOfLog = (limit: number): string => {
  const size = limit % megabyte === 0 ? `${limit / megabyte} MB (--log-limit)` : `${limit} bytes`
  return `\n[the log of this step ends here: it has reached its limit of ${size}]\n`
}

/** The limit that ended a log with this last entry: `250 MB`. */
export const limitIn = (out: string): string | undefined => notice.exec(out)?.[1]
