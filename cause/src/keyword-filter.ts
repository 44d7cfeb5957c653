/**
 * A fast filter in front of the patterns: does a line contain any of their keywords? It looks up
 * every four letters in a table in one pass over the text, so that a million lines take a fraction
 * of a second.
 */

const tableBits = 16
const mask = (1 << tableBits) - 1

/**
 * Case-folded letters. Each step shifts the sum by four bits, so that it holds the last four
 * letters.
 */
const folded = Uint16Array.from({ length: 128 }, (_, code) => {
  const lower = code >= 65 && code <= 90 ? code + 32 : code
  return Math.imul(lower + 1, 0x9e37) & mask
})

/** Symbols that precede a failure. */
const marks = new Set(Array.from('✖✕✗✘×●⨯❌❱◼', (mark) => mark.charCodeAt(0)))

/** The first four letters of each word, which must be ASCII. */
const tableOf = (words: readonly string[]): Uint8Array => {
  const table = new Uint8Array(1 << tableBits)
  for (const word of words) {
    let sum = 0
    for (let at = 0; at < 4; at++) sum = ((sum << 4) ^ (folded[word.charCodeAt(at)] ?? 0)) & mask
    table[sum] = 1
  }
  return table
}

const newline = 10
const caret = 94
const tilde = 126
const colon = 58

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/**
 * Whether the colon at `at` belongs to `file.c:12:7: `. Loggers also print a line number, but only
 * compilers and linters a column.
 */
const isPlace = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1) | 32
  if (before < 97 || before > 122 || !isDigit(text.charCodeAt(at + 1))) return false
  let next = at + 2
  while (next < at + 8 && isDigit(text.charCodeAt(next))) next++
  if (text.charCodeAt(next) !== colon) return false
  const column = ++next
  while (next < column + 6 && isDigit(text.charCodeAt(next))) next++
  return next > column
}

const numbered = /^ {1,5}\d{1,3}\)/

/**
 * Lines with these prefixes are always reported: `+ command`, `$ command`, diff lines, `=== RUN`,
 * `[ RUN`, `1)`, and pointers to the line above.
 */
const isAlwaysReported = (text: string, from: number): boolean => {
  const first = text.charCodeAt(from)
  const second = text.charCodeAt(from + 1)
  if (first === 32) return second === 32 && numbered.test(text.slice(from, from + 8))
  return (
    first === 43 ||
    first === 36 ||
    (first === 33 && (second === 32 || second === 33)) ||
    first === 45 ||
    (first === 61 && second === 61) ||
    (first === 91 && second === 32) ||
    (second === 41 && first >= 48 && first <= 57)
  )
}

const tab = 9
const blank = 32
const letterA = 97
const letterT = 116

/** Whether the line is a stack frame (`    at …`). */
const isFrame = (text: string, from: number): boolean => {
  let at = from
  while (at < from + 12 && (text.charCodeAt(at) === blank || text.charCodeAt(at) === tab)) at++
  return (
    at > from &&
    text.charCodeAt(at) === letterA &&
    text.charCodeAt(at + 1) === letterT &&
    text.charCodeAt(at + 2) === blank
  )
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Returns the number of following lines to report as well. */
type OnLine = (index: number, from: number, to: number) => number

/**
 * Scans a text of several lines and calls back with the index (from 0) and range of each line that
 * contains a keyword, starts like a command, or was requested by the callback.
 */
export class LineFilter {
  readonly #table: Uint8Array
  /** The number of following lines that the callback requested. */
  #requested = 0
  /** Whether the previous line was a stack frame. */
  #inStack = false

  constructor(words: readonly string[]) {
    this.#table = tableOf(words)
  }

  /** Returns the number of lines. */
  scan(text: string, onLine: OnLine): number {
    const table = this.#table
    const { length } = text
    let lines = 0
    let from = 0
    while (from <= length) {
      let sum = 0
      let found = 0
      let at = from
      // One keyword is enough; a separate loop finds the end of the line faster.
      for (; at < length && found === 0; at++) {
        const code = text.charCodeAt(at)
        if (code === newline) break
        if (code === colon && isPlace(text, at)) found = 1
        if (code < 128) {
          sum = ((sum << 4) ^ (folded[code] ?? 0)) & mask
          found |= table[sum] ?? 0
        } else if (marks.has(code)) found = 1
      }
      if (found === 1) at = endOfLine(text, at)
      const last = text.charCodeAt(at - 1)
      const wasInStack = this.#inStack
      this.#inStack = isFrame(text, from)
      if (
        found === 1 ||
        this.#requested > 0 ||
        last === caret ||
        last === tilde ||
        (this.#inStack && !wasInStack) ||
        isAlwaysReported(text, from)
      ) {
        if (this.#requested > 0) this.#requested--
        this.#requested = Math.max(this.#requested, onLine(lines, from, at))
      }
      lines++
      from = at + 1
    }
    return lines
  }
}

const maxShapeChars = 240
const zero = 48
/**
 * A 32-bit integer from the start: otherwise each step of the hash uses floating-point numbers and
 * takes twice as long.
 */
const basis = 0x811c9dc5 | 0
const prime = 0x01000193
/**
 * ASCII with all digits equal. A lookup table, because a branch on digits would be mispredicted
 * often.
 */
const undigited = Uint8Array.from({ length: 128 }, (_, code) => (isDigit(code) ? zero : code))

/**
 * A hash of the line's first characters with all digits equal, so that lines that differ only in
 * numbers have the same one. It is cheaper than any pattern, so that a line repeated ten thousand
 * times is analyzed once.
 */
export const shapeOf = (text: string, from: number, to: number): number => {
  const end = Math.min(to, from + maxShapeChars)
  let hash = basis
  let before = 0
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at)
    const sign = code < 128 ? (undigited[code] ?? code) : code
    if (sign === zero && before === zero) continue
    before = sign
    hash = Math.imul(hash ^ sign, prime)
  }
  return hash
}
