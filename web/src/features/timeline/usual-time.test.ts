import { expect, test } from 'vitest'

import { remainingTimeText, deviationOf, usualTimeFinder } from './usual-time.ts'

const usual = { count: 20, median: 60, low: 50, high: 80 }

test('a difference is shown only outside the usual range, and "shorter" only after the end', () => {
  expect([50, 60, 80].map((seconds) => deviationOf(seconds, usual, true))).toEqual([undefined, undefined, undefined])
  expect(deviationOf(81, usual, true)).toBe('+21s')
  expect(deviationOf(81, usual, false)).toBe('+21s')
  expect(deviationOf(49, usual, true)).toBe('−11s')
  expect(deviationOf(49, usual, false)).toBeUndefined()
})

test('a difference of one second is not shown, because times are rounded', () => {
  const quick = { count: 20, median: 1, low: 1, high: 1 }
  expect([0, 1, 2].map((seconds) => deviationOf(seconds, quick, true))).toEqual([undefined, undefined, undefined])
  expect(deviationOf(3, quick, true)).toBe('+2s')
})

test('the remaining time is a range, and is not shown once the build takes longer than ever', () => {
  expect(remainingTimeText(0, usual)).toBe('50s to 1m 20s left')
  expect(remainingTimeText(60, usual)).toBe('At most 20s left')
  expect(remainingTimeText(79, usual)).toBe('Almost done')
  expect(remainingTimeText(81, usual)).toBe('Taking longer than usual')
  expect(remainingTimeText(10, { ...usual, low: 50, high: 50 })).toBe('About 40s left')
})

test('a step is identified with its stage, whatever their names', () => {
  const find = usualTimeFinder({ steps: [{ stage: 'a', step: 'b", "c', ...usual }] })
  expect(find('a', 'b", "c')).toMatchObject(usual)
  expect(find('a", "b', 'c')).toBeUndefined()
  expect(usualTimeFinder(undefined)('a', 'b')).toBeUndefined()
})
