import { expect, test } from 'vitest'

import type { LineView, Part } from '../engine/view.ts'
import { isNarrow } from './narrow.ts'

const view = (parts: Part[], more: Partial<LineView> = {}): LineView => ({
  index: 0,
  number: 1,
  time: 0,
  parts,
  cut: 0,
  ...more,
})

test('a line is narrow up to the last column, whatever its parts', () => {
  const parts = [{ text: 'five ' }, { text: 'and', look: { color: 'red' } }]
  expect(isNarrow(view(parts), 8)).toBe(true)
  expect(isNarrow(view(parts), 7)).toBe(false)
  expect(isNarrow(view([]), 1)).toBe(true)
})

test.each(['a\tb', '写', 'ü', '\u0007', '😀'])(
  'the width of %j does not follow from its number of characters',
  (text) => {
    expect(isNarrow(view([{ text: 'a' }, { text }]), 80)).toBe(false)
  },
)

test('text after the line needs room as well', () => {
  expect(isNarrow(view([{ text: 'a' }], { cut: 1 }), 80)).toBe(false)
  expect(isNarrow(view([{ text: '+ a' }], { group: { end: 9, seconds: 3, last: false } }), 80)).toBe(false)
})
