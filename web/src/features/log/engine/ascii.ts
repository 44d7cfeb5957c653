const escape = 0x1b
const bracket = 0x5b

/**
 * Reports the runs of printable ASCII in a line that contains only ASCII and colors, as nearly all
 * lines do, so that these lines need no parsing. Returns false for any other line; runs reported
 * until then must be discarded.
 */
export const asciiRuns = (bytes: Uint8Array, run: (from: number, to: number) => void): boolean => {
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x20 && byte < 0x7f) continue
    if (byte !== escape || bytes[at + 1] !== bracket) return false
    if (at > from) run(from, at)
    at += 2
    // Digits and semicolons, then an "m".
    while (((bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) || bytes[at] === 0x3b) at++
    if (bytes[at] !== 0x6d) return false
    from = at + 1
  }
  if (bytes.length > from) run(from, bytes.length)
  return true
}
