import { expect, test } from 'vitest'

import { leftOf, outside, usualFinder } from './usual.ts'

const usual = { count: 20, median: 60, low: 50, high: 80 }

test('a difference is shown only outside the usual range, and "shorter" only after the end', () => {
  expect([50, 60, 80].map((seconds) => outside(seconds, usual, true))).toEqual([undefined, undefined, undefined])
  expect(outside(81, usual, true)).toBe('+21s')
  expect(outside(81, usual, false)).toBe('+21s')
  expect(outside(49, usual, true)).toBe('−11s')
  expect(outside(49, usual, false)).toBeUndefined()
})

test('what is left is a range, and no promise once it is later than ever', () => {
  expect(leftOf(0, usual)).toBe('50s to 1m 20s left')
  expect(leftOf(60, usual)).toBe('At most 20s left')
  expect(leftOf(79, usual)).toBe('Almost done')
  expect(leftOf(81, usual)).toBe('Taking longer than usual')
  expect(leftOf(10, { ...usual, low: 50, high: 50 })).toBe('About 40s left')
})

test('a step is identified with its stage, whatever their names', () => {
  const find = usualFinder({ steps: [{ stage: 'a', step: 'b", "c', ...usual }] })
  expect(find('a', 'b", "c')).toMatchObject(usual)
  expect(find('a", "b', 'c')).toBeUndefined()
  expect(usualFinder(undefined)('a', 'b')).toBeUndefined()
})
