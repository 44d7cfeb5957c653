import { expect, test } from 'vitest'
import { visibleParts } from './visible.ts'

const visibleText = (text: string, keep?: string) =>
  visibleParts(text, keep).map((part) => ('text' in part ? part.text : [part.name, part.code]))

test('plain text, tabs and other scripts stay one part', () => {
  expect(visibleText('a\tb ünï مرحبا 日本 👩‍👩'.replaceAll('\u200d', ''))).toHaveLength(1)
  expect(visibleText('')).toEqual([''])
})

test.each([
  ['x\u202ey', ['x', ['U+202E', 'U+202E'], 'y']],
  ['\u0007', [['␇', 'U+0007']]],
  ['end\r', ['end', ['␍', 'U+000D']]],
  [
    '\u007f\u0085',
    [
      ['␡', 'U+007F'],
      ['U+0085', 'U+0085'],
    ],
  ],
  ['a\u200bb', ['a', ['U+200B', 'U+200B'], 'b']],
  ['a\u2028b\u2029', ['a', ['U+2028', 'U+2028'], 'b', ['U+2029', 'U+2029']]],
  ['\u3164', [['U+3164', 'U+3164']]],
  ['\u034f', [['U+034F', 'U+034F']]],
  ['\u{1d173}', [['U+1D173', 'U+1D173']]],
  ['\u{e0041}', [['U+E0041', 'U+E0041']]],
])('%j shows what is hidden in it', (text, parts) => {
  expect(visibleText(text)).toEqual(parts)
})

test('a line feed can be kept', () => {
  expect(visibleText('a\nb', '\n')).toEqual(['a\nb'])
  expect(visibleText('a\nb')).toEqual(['a', ['␊', 'U+000A'], 'b'])
})
