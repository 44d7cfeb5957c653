import { expect, test } from 'vitest'

import { readLogs } from '../../tools/lib/corpus.mjs'
import { hashOf } from './hash.ts'
import { blankLine, hashOfLine } from './line-hash.ts'
import { normalise } from './normalise.ts'

const encoder = new TextEncoder()
const ofBytes = (line: string): number => {
  // Between other lines, as in a log.
  const bytes = encoder.encode(`x\n${line}\ny`)
  return hashOfLine(bytes, 2, bytes.length - 2)
}
const ofText = (line: string): number => (normalise(line) === '' ? blankLine : hashOf(normalise(line)))
const differing = (lines: readonly string[]): string[] => lines.filter((line) => ofBytes(line) !== ofText(line))

test('equals the hash of the normalized text for each line of the corpus @system', () => {
  const lines = ['open', 'sealed'].flatMap((part) => [...readLogs(part).values()].flatMap((text) => text.split('\n')))
  expect(lines.length).toBeGreaterThan(5000)
  expect(differing(lines)).toEqual([])
})

const pieces = [
  [
    '12',
    '1.5',
    '2026-11-22',
    '12:01:03',
    'a1b2c3',
    'deadbeef',
    'deadbeefs',
    'TS2322',
    'E0308',
    'TOOLONG123',
    'x_9',
    '#',
    '##',
  ],
  [' ', '  ', '\t', '/', '\\', './', '../', '~/', '@', '$', '-', '.', ':', ',', '+', '(', ')', '=', '"'],
  [
    'ms',
    ' ms',
    's',
    'µs',
    ' µs',
    'sµ',
    'kB',
    'MB/s',
    'MB/sx',
    'KiB/s',
    '%',
    '%a',
    'B',
    'bytes',
    'byte',
    'minutes',
    'hours',
    'hourss',
  ],
  [
    'error',
    'src',
    'a.test.ts',
    'é',
    'ß9',
    '✓',
    '✖ ',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u0085',
    '\ufeff',
    '😀',
    '\ud800',
    '中文',
  ],
  [
    '\u001b[31m',
    '\u001b[0;1;39m',
    '\u001b[K',
    '\u001b[2J',
    '\u001b]0;t\u0007',
    '\r',
    '\u0008',
    '\u007f',
    '\u0000',
    'x'.repeat(100),
  ],
].flat()

const asWritten = (line: string): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoder.encode(line))

test('equals the hash of the normalized text for lines of special pieces in any order', () => {
  let seed = 7
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const lines = Array.from({ length: 20_000 }, (_, index) =>
    Array.from({ length: 1 + random(index % 20 === 0 ? 60 : 12) }, () => pieces[random(pieces.length)] ?? '').join(''),
  )
  // The log replaces what cannot be encoded in UTF-8.
  expect(differing(lines.map(asWritten))).toEqual([])
})

test('an empty line has no hash', () => {
  expect(['', ' ', '\t', '\r', '\u001b[0m'].map(ofBytes)).toEqual(Array.from({ length: 5 }, () => blankLine))
})
