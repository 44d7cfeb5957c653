/**
 * Random input: the parser never throws, loses no printable text, agrees with Anser, and takes
 * linear time.
 */
import { isDeepStrictEqual } from 'node:util'
import Anser from 'anser'
import { expect, test } from 'vitest'
import { parseLine, plainText, styleAfter } from './line.ts'
import { plainStyle } from './style.ts'

/** Mulberry32: a small seeded generator, so that a failure can be reproduced. */
const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const pieces = [
  '\u001b',
  '[',
  ']',
  '8;;',
  'm',
  ';',
  ':',
  '0',
  '1',
  '38',
  '5',
  '2',
  'K',
  'J',
  'C',
  'D',
  'G',
  '58',
  '\r',
  '\b',
  '\u0007',
  '\u001b\\',
]
const more = ['http://a.b/', '<b>', 'word', '\u009b', 'é', '😀', '\ud800', '(', ')', '?', '\t', ' ', '\u0000', '-']
const alphabet = [...pieces, ...more]

const make = (seed: number): string => {
  const next = random(seed)
  const length = Math.floor(next() * 60)
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)] ?? '').join('')
}

/**
 * Checks one line at a time: four separate expectations per line take longer than everything else.
 */
const faultsOf = (line: string): string[] => {
  const { segments, style } = parseLine(line)
  const text = segments.map((segment) => segment.text).join('')
  return [
    // oxlint-disable-next-line no-control-regex -- control characters are the subject
    ...(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(text) ? ['a control character'] : []),
    ...(isDeepStrictEqual(style, styleAfter(line, plainStyle)) ? [] : ['another style']),
    ...(segments.every(({ href }) => !href || /^(?:https?:\/\/|mailto:)/.test(href)) ? [] : ['a strange address']),
  ]
}

test('20,000 random lines: nothing throws, no control character comes out', () => {
  const lines = Array.from({ length: 20_000 }, (_, seed) => make(seed))
  expect(lines.filter((line) => faultsOf(line).length > 0).map((line) => [line, faultsOf(line)])).toEqual([])
})

// Without 22 (neither bold nor dim), which Anser does not always support.
test('lines with only simple SGR give the same result as Anser', () => {
  const codes = ['0', '1', '3', '4', '31', '42', '91', '104', '38;5;200', '48;2;1;2;3', '39', '49']
  for (let seed = 0; seed < 2000; seed++) {
    const next = random(seed)
    const line = Array.from({ length: 12 }, () =>
      next() < 0.5 ? `\u001b[${codes[Math.floor(next() * codes.length)]}m` : `t${Math.floor(next() * 10)} `,
    ).join('')
    expect(plainText(line)).toBe(Anser.ansiToText(line))
    const theirs = Anser.ansiToJson(line, { remove_empty: true })
    const ours = parseLine(line).segments
    const boldOf = (pairs: { text: string; bold: boolean }[]) =>
      pairs.flatMap(({ text, bold }) => Array.from(text, (char) => `${char}${bold ? 'b' : ''}`)).join('')
    expect(boldOf(ours.map((part) => ({ text: part.text, bold: (part.style.flags & 1) !== 0 })))).toBe(
      boldOf(theirs.map((part) => ({ text: part.content, bold: part.decorations.includes('bold') }))),
    )
  }
})

test.each([
  '\u001b[',
  '\u001b]8;;',
  '\u001b]',
  '(http://a',
  'http://a)))',
  '\u001b[31m',
  'a\r',
  '\b',
  'mailto:',
  '\u001b[;',
  '\u001b[1K',
  '\r\u001b[K',
  'x\r\u001b[999999C\u001b[1K',
  '\u001b[9999C',
  '\b\u001b[1Kx',
  '\u001b[2Kx',
  '\u001b[J\u001b[D',
  '\t\b',
  '\u009d',
  'http://a ',
  '38;',
])('linear in the input: %j many times', (piece) => {
  // Quadratic work on a million characters would exceed the test's timeout.
  const line = piece.repeat(Math.ceil(500_000 / piece.length))
  for (const text of [line, `\u001b[${line}`, `${'a'.repeat(500_000)}${line}`]) {
    const { segments } = parseLine(text)
    // No text is added either.
    const length = segments.reduce((sum, segment) => sum + segment.text.length, 0)
    expect(length).toBeLessThan(text.length * 8 + 10_000)
  }
})
