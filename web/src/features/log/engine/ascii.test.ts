import { expect, test } from 'vitest'
import { asciiRuns } from './ascii.ts'

const runs = (text: string): [boolean, string] => {
  const found: string[] = []
  const isSimple = asciiRuns(new TextEncoder().encode(text), (from, to) => found.push(text.slice(from, to)))
  return [isSimple, found.join('|')]
}

test.each([
  ['', ''],
  [' ~', ' ~'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['a\u001b[1;39mb\u001b[mc', 'a|b|c'],
  ['\u001b[1m\u001b[2mx', 'x'],
])('%j is simple, and says %j', (text, expected) => expect(runs(text)).toEqual([true, expected]))

test.each([
  '\u001f',
  '\u007f',
  'ä',
  'a\tb',
  '\u001bM',
  '\u001b31m',
  '\u001b[31',
  '\u001b[3:1m',
  '\u001b[2K',
  '\u0080[1m',
  '\t[1m',
])('%j is not', (text) => expect(runs(text)[0]).toBe(false))

test('no run is empty', () => {
  const lengths: number[] = []
  asciiRuns(new TextEncoder().encode('\u001b[1m\u001b[2ma\u001b[m'), (from, to) => lengths.push(to - from))
  expect(lengths).toEqual([1])
  asciiRuns(new Uint8Array(0), () => lengths.push(0))
  expect(lengths).toEqual([1])
})
