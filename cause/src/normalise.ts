/**
 * A line without what differs from run to run – numbers, hashes, times, folders –, so that the same line of another run
 * is the same text. Used for "never seen before", by the page and by the server: both must do it alike.
 */
import { plainOf } from './plain.ts'

/** Behind this many characters lines are taken for the same. */
export const longestKey = 240

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0xaa
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isInWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 95

/** What joins numbers to one: `12:34:56.789`, `2026-11-22`, `10.0.0.1`, `3,141`, `+0100`. */
const joins = /#(?:[.:,+-]+#)+/g
/** A quantity is one with its unit, which changes with it: `900 ms` and `1.2 s`. */
const units = /# ?(?:[kKMGT]i?B(?:\/s)?|B|bytes?|[mnu\u00b5]?s|secs?|seconds?|mins?|minutes?|hours?|%)(?![A-Za-z])/g
const blanks = /\s+/g

/** A compiler's code (`TS2322`, `E0308`) is part of the message; other words with digits are variable values. */
const codes = /^[A-Z]{1,6}\d{3,5}$/
/** Letters only, but a hash nevertheless. */
const hexOnly = /^[a-f]{8,}$/

const wordOf = (word: string, hasDigit: boolean): string => {
  if (hasDigit) return codes.test(word) ? word : '#'
  return hexOnly.test(word) ? '#' : word
}

/** The text with each word that holds a digit as `#`, and of each path its last name. */
const withoutNumbers = (text: string): string => {
  let made = ''
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
      made += wordOf(text.slice(from, at), hasDigit)
      continue
    }
    at++
    if (code === 47 || code === 92) {
      // Drops a directory name and keeps only the slash.
      made = `${made.slice(0, token)}/`
    } else {
      made += text.charAt(at - 1)
      // A dot, a dash, a tilde, an at or a dollar belong to a path.
      if (code !== 46 && code !== 45 && code !== 126 && code !== 64 && code !== 36) token = made.length
    }
  }
  return made
}

export const normalise = (line: string): string =>
  withoutNumbers(plainOf(line).slice(0, 2 * longestKey))
    .replace(joins, '#')
    .replace(units, '#')
    .replace(blanks, ' ')
    .trim()
    .slice(0, longestKey)
