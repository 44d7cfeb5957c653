/**
 * Removes what differs between runs (numbers, hashes, times, folders) from a line, so that the same
 * line of two runs is the same text. The page and the server use it to detect new lines and must
 * agree.
 */
import { plainOf } from './plain.ts'

/** Lines that agree in this many characters count as equal. */
export const maxKeyChars = 240

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0xaa
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isInWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 95

/** What joins numbers to one: `12:34:56.789`, `2026-11-22`, `10.0.0.1`, `3,141`, `+0100`. */
const joins = /#(?:[.:,+-]+#)+/g
/** A number with its unit, which changes with it: `900 ms` and `1.2 s`. */
const units = /# ?(?:[kKMGT]i?B(?:\/s)?|B|bytes?|[mnu\u00b5]?s|secs?|seconds?|mins?|minutes?|hours?|%)(?![A-Za-z])/g
const blanks = /\s+/g

/**
 * A compiler's code (`TS2322`, `E0308`) is part of the message; other words with digits are
 * variable values.
 */
const codes = /^[A-Z]{1,6}\d{3,5}$/
/** A hash without digits. */
const hexOnly = /^[a-f]{8,}$/

const wordOf = (word: string, hasDigit: boolean): string => {
  if (hasDigit) return codes.test(word) ? word : '#'
  return hexOnly.test(word) ? '#' : word
}

/** Replaces each word that contains a digit by `#`, and each path by its last part. */
const withoutNumbers = (text: string): string => {
  let output = ''
  /** The start of the current path in the output. */
  let token = 0
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (isInWord(code)) {
      const from = at
      let hasDigit = false
      for (let next = code; isInWord(next); next = text.charCodeAt(at)) {
        if (isDigit(next)) hasDigit = true
        at++
      }
      output += wordOf(text.slice(from, at), hasDigit)
      continue
    }
    at++
    if (code === 47 || code === 92) {
      // Drops a directory name and keeps only the slash.
      output = `${output.slice(0, token)}/`
    } else {
      output += text.charAt(at - 1)
      // A dot, a dash, a tilde, an at sign or a dollar sign can be part of a path.
      if (code !== 46 && code !== 45 && code !== 126 && code !== 64 && code !== 36) token = output.length
    }
  }
  return output
}

export const normalise = (line: string): string =>
  withoutNumbers(plainOf(line).slice(0, 2 * maxKeyChars))
    .replace(joins, '#')
    .replace(units, '#')
    .replace(blanks, ' ')
    .trim()
    .slice(0, maxKeyChars)
