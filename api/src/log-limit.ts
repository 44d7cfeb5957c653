/** The notice that ends a log at its limit. The server writes it, and the page recognizes it. */

const megabyte = 1024 * 1024
const notice =
  /^\n\[the log of this step ends here: it has reached its limit of (\d{1,15} (?:MB|bytes))(?: \(--log-limit\))?\]\n$/

/**
 * Starts with a newline, which ends the previous line. No entry of a step starts with one, so the
 * notice is unambiguous.
 */
export const endOfLog = (limit: number): string => {
  const size = limit % megabyte === 0 ? `${limit / megabyte} MB (--log-limit)` : `${limit} bytes`
  return `\n[the log of this step ends here: it has reached its limit of ${size}]\n`
}

/** The limit in the notice (`250 MB`), if this last entry of a log is one. */
export const limitIn = (out: string): string | undefined => notice.exec(out)?.[1]
