import { expect, test } from 'vitest'

import { lineDiff } from './line-diff.ts'

const shown = (before: string, after: string) => lineDiff(before, after).map(({ mark, text }) => `${mark}${text}`)

test('equal texts do not differ', () => {
  expect(shown('a\nb\n', 'a\nb\n')).toEqual([])
  expect(shown('', '')).toEqual([])
})

test('a change is shown with three lines of context, and unchanged lines in between are omitted', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const changed = lines.with(5, 'five').toSpliced(16, 1)
  expect(shown(lines.join('\n'), changed.join('\n'))).toEqual([
    ' line 2',
    ' line 3',
    ' line 4',
    '-line 5',
    '+five',
    ' line 6',
    ' line 7',
    ' line 8',
    'gap',
    ' line 13',
    ' line 14',
    ' line 15',
    '-line 16',
    ' line 17',
    ' line 18',
    ' line 19',
  ])
})

test('additions and removals at either end are found', () => {
  expect(shown('a', 'a\nb')).toEqual([' a', '+b'])
  expect(shown('b', 'a\nb')).toEqual(['+a', ' b'])
  expect(shown('a\na', 'a')).toEqual([' a', '-a'])
})

test('a line break at the end of a text is not an empty line', () => {
  expect(shown('a\n', 'a\nb\n')).toEqual([' a', '+b'])
  expect(shown('a\nb\n', 'a\n')).toEqual([' a', '-b'])
  expect(shown('a\n', 'a')).toEqual([])
  // A real empty line is shown.
  expect(shown('a\n', 'a\n\n')).toEqual([' a', '+'])
})

test('texts that are too long to compare are shown as removed and added', () => {
  const many = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n')
  const lines = lineDiff(many('old'), many('new'))
  expect(lines).toHaveLength(6_000)
  expect(lines[0]).toEqual({ mark: '-', text: 'old 0' })
})
