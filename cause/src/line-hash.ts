/**
 * The hash of a line as `normalise` makes it, computed from the bytes in one pass without creating
 * a string: a million lines must take less than half a second. `line-hash.test.ts` compares the
 * two.
 */
import { basis, finished, hashOf } from './hash.ts'
import { maxKeyChars, normalise } from './normalise.ts'

/** The hash of a blank line. */
export const blankLine = -1

/**
 * Longer lines, and lines with escape sequences other than colors, use the slow path (`normalise`).
 */
const maxSimpleBytes = 2000
const maxHashed = maxKeyChars
const maxRead = 2 * maxHashed

const escape = 0x1b
const sharp = 35
const micro = 0xb5

const digit = 1
/** Digits, letters and `_`. */
const inWord = 2
const upper = 4
const letter = 8
/** Characters that can be part of a path: a dot, a dash, a tilde, an at sign, a dollar sign. */
const inPath = 16
/** Characters that join numbers to one: `.:,+-`. */
const joining = 32
const slash = 64

const classOf = (sign: string): number =>
  (/\d/.test(sign) ? digit : 0) |
  (/\w/.test(sign) ? inWord : 0) |
  (/[A-Z]/.test(sign) ? upper : 0) |
  (/[a-z]/i.test(sign) ? letter : 0) |
  (/[.~@$-]/.test(sign) ? inPath : 0) |
  (/[.:,+-]/.test(sign) ? joining : 0) |
  (/[/\\]/.test(sign) ? slash : 0)
/** The class of each code unit, as a lookup table. */
const classes = new Uint8Array(1 << 16)
for (let code = 0; code < 128; code++) classes[code] = classOf(String.fromCharCode(code))

/** Units after a number; `%` is one as well. */
const units = new Set(
  [
    ['B', 'byte', 'bytes', 's', 'ms', 'ns', 'us', 'µs', 'sec', 'secs', 'second', 'seconds'],
    ['min', 'mins', 'minute', 'minutes', 'hour', 'hours'],
    [...'kKMGT'].flatMap((size) => [`${size}B`, `${size}iB`]),
  ].flat(),
)
const maxUnitChars = 7

/** `normalise` receives decoded text, in which a byte order mark is a character like any other. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The code units of the current line; reused for every line. */
const codeUnits = new Uint16Array(maxRead + 4)

const classAt = (at: number): number => classes[codeUnits[at] ?? 0] ?? 0

/** `[A-Z]{1,6}\d{3,5}`, a compiler's code. */
const isCode = (from: number, to: number): boolean => {
  let at = from
  while (at < to && (classAt(at) & upper) !== 0) at++
  const letters = at - from
  while (at < to && (classAt(at) & digit) !== 0) at++
  const digits = at - from - letters
  return at === to && letters >= 1 && letters <= 6 && digits >= 3 && digits <= 5
}

const isHex = (from: number, to: number): boolean => {
  if (to - from < 8) return false
  for (let at = from; at < to; at++) {
    const code = codeUnits[at] ?? 0
    if (code < 97 || code > 102) return false
  }
  return true
}

/** Returns the index after the word, or after the character that replaces it. */
const endOfWord = (from: number, to: number, hasDigit: boolean): number => {
  if (hasDigit ? isCode(from, to) : !isHex(from, to)) return to
  codeUnits[from] = sharp
  return from + 1
}

/**
 * Returns the index after a sequence that sets colors or clears the line; -1 for any other
 * sequence.
 */
const afterColors = (bytes: Uint8Array, at: number, to: number): number => {
  if (bytes[at + 1] !== 91) return -1
  for (let next = at + 2; next < Math.min(to, at + 40); next++) {
    const code = bytes[next] ?? 0
    if (code === 109 || code === 75) return next + 1
    if ((code < 48 || code > 57) && code !== 59) return -1
  }
  return -1
}

/** Non-ASCII spaces, which only the slow path handles. */
const isSpace = (code: number): boolean =>
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff

/**
 * The code of a letter of two or three bytes; 0 if it is not a letter, not valid, or takes two code
 * units.
 */
const letterAt = (bytes: Uint8Array, at: number, to: number): number => {
  const first = bytes[at] ?? 0
  const size = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 0
  if (size === 0 || at + size > to) return 0
  let code = size === 2 ? first & 0x1f : first & 0x0f
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i] ?? 0
    if ((next & 0xc0) !== 0x80) return 0
    code = (code << 6) | (next & 0x3f)
  }
  const isValid = size === 2 || (code >= 0x800 && (code < 0xd800 || code > 0xdfff))
  return isValid && code >= 0xaa && !isSpace(code) ? code : 0
}

/**
 * Writes the line to `codeUnits` as `withoutNumbers` does and returns the length; -1 if the line
 * needs the slow path.
 */
const read = (bytes: Uint8Array, from: number, end: number): number => {
  let to = end
  while (to > from && bytes[to - 1] === 13) to--
  if (to - from > maxSimpleBytes) return -1
  let length = 0
  /** The start of the current path, and of the current word. */
  let token = 0
  let word = -1
  let hasDigit = false
  let count = 0
  for (let at = from; at < to;) {
    let code = bytes[at] ?? 0
    let kind = inWord
    if (code < 128) {
      if (code < 32 && code !== 9) {
        at = code === escape ? afterColors(bytes, at, to) : -1
        if (at === -1) return -1
        continue
      }
      if (code === 127) return -1
      kind = classes[code] ?? 0
      at++
    } else {
      code = letterAt(bytes, at, to)
      if (code === 0) return -1
      at += code < 0x800 ? 2 : 3
    }
    // The rest is not hashed, but must be simple.
    if (++count > maxRead) continue
    if ((kind & inWord) !== 0) {
      if (word === -1) {
        word = length
        hasDigit = false
      }
      if ((kind & digit) !== 0) hasDigit = true
      codeUnits[length++] = code
      continue
    }
    if (word !== -1) {
      if (hasDigit || length - word >= 8) length = endOfWord(word, length, hasDigit)
      word = -1
    }
    if ((kind & slash) !== 0) {
      codeUnits[token] = 47
      length = token + 1
    } else {
      codeUnits[length++] = code
      if ((kind & inPath) === 0) token = length
    }
  }
  return word === -1 ? length : endOfWord(word, length, hasDigit)
}

/** Returns the index after all numbers that are joined to the one that ends here. */
const afterJoined = (from: number, length: number): number => {
  let end = from
  for (let at = from; at < length;) {
    while (at < length && (classAt(at) & joining) !== 0) at++
    if (at === end || at >= length || codeUnits[at] !== sharp) break
    at++
    end = at
  }
  return end
}

const isLetter = (at: number, length: number): boolean => at < length && (classAt(at) & letter) !== 0

/** Returns the index after the unit of the number that ends here. */
const afterUnit = (from: number, length: number): number => {
  const start = from < length && codeUnits[from] === 32 ? from + 1 : from
  if (start < length && codeUnits[start] === 37) return isLetter(start + 1, length) ? from : start + 1
  let at = start < length && codeUnits[start] === micro ? start + 1 : start
  while (isLetter(at, length)) if (++at - start > maxUnitChars) return from
  if (at === start) return from
  let unit = ''
  for (let i = start; i < at; i++) unit += String.fromCharCode(codeUnits[i] ?? 0)
  if (!units.has(unit)) return from
  // `MB/s`.
  const isRate =
    unit !== 'B' && unit.endsWith('B') && at + 1 < length && codeUnits[at] === 47 && codeUnits[at + 1] === 115
  return isRate && !isLetter(at + 2, length) ? at + 2 : at
}

/** Hashes the line as the rest of `normalise` does. */
const hashCodeUnits = (length: number): number => {
  let hash = basis
  let count = 0
  let isBlank = false
  for (let at = 0; at < length && count < maxHashed;) {
    const code = codeUnits[at++] ?? 0
    if (code === 32 || code === 9) {
      isBlank = count > 0
      continue
    }
    if (isBlank) {
      hash = Math.imul(hash ^ 32, 0x01000193)
      isBlank = false
      if (++count === maxHashed) break
    }
    hash = Math.imul(hash ^ code, 0x01000193)
    count++
    if (code === sharp) at = afterUnit(afterJoined(at, length), length)
  }
  return count === 0 ? blankLine : finished(hash)
}

/**
 * Equals `hashOf(normalise(line))` for the line between these bytes, without its newline;
 * `blankLine` for a blank line.
 */
export const hashOfLine = (bytes: Uint8Array, from: number, to: number): number => {
  const length = read(bytes, from, to)
  if (length !== -1) return hashCodeUnits(length)
  const normalised = normalise(decoder.decode(bytes.subarray(from, to)))
  return normalised === '' ? blankLine : hashOf(normalised)
}
