/**
 * The sieve in front of the patterns: does a line hold any of the words that they begin with? Four letters at a time are
 * looked up in a table while the text is gone through once, so that a million lines cost a fraction of a second.
 */

const tableBits = 16
const mask = (1 << tableBits) - 1

/** Letters without their case; each is shifted by four bits, so that a sum holds the last four. */
const folded = Uint16Array.from({ length: 128 }, (_, code) => {
  const lower = code >= 65 && code <= 90 ? code + 32 : code
  return Math.imul(lower + 1, 0x9e37) & mask
})

const step = (sum: number, code: number): number =>
  ((sum << 4) ^ (code < 128 ? (folded[code] ?? 0) : Math.imul(code, 0x85eb))) & mask

/** A table of words: of each the four letters that stand at `word.slice(from, from + 4)`, its beginning if not said. */
export const tableOf = (words: readonly string[]): Uint8Array => {
  const table = new Uint8Array(1 << tableBits)
  for (const word of words) {
    let sum = 0
    for (let at = 0; at < 4; at++) sum = step(sum, word.charCodeAt(at))
    table[sum] = 1
  }
  return table
}

const newline = 10

/**
 * Goes through text of several lines and calls back for each that holds a word of the table, or that begins with `+ `, with its number
 * (from 0) and where it stands. Answers how many lines there are.
 */
export const sift = (
  text: string,
  table: Uint8Array,
  onLine: (index: number, from: number, to: number) => void,
): number => {
  let lines = 0
  let from = 0
  let sum = 0
  let found = false
  const { length } = text
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === newline) {
      if (found || (text.charCodeAt(from) === 43 && text.charCodeAt(from + 1) === 32)) onLine(lines, from, at)
      lines++
      from = at + 1
      sum = 0
      found = false
      continue
    }
    sum = step(sum, code)
    if (table[sum] === 1) found = true
  }
  if (found || (text.charCodeAt(from) === 43 && text.charCodeAt(from + 1) === 32)) onLine(lines, from, length)
  return lines + 1
}
