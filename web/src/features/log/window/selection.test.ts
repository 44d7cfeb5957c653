import { expect, test } from 'vitest'
import { before, cutToSelection } from './selection.ts'

test('a selection within a line and over several', () => {
  expect(cutToSelection('hello', { line: 3, column: 1 }, { line: 3, column: 4 })).toBe('ell')
  expect(cutToSelection('one\ntwo\nthree', { line: 0, column: 1 }, { line: 2, column: 2 })).toBe('ne\ntwo\nth')
  expect(before({ line: 1, column: 9 }, { line: 2, column: 0 })).toBe(true)
  expect(before({ line: 2, column: 0 }, { line: 2, column: 0 })).toBe(false)
})
