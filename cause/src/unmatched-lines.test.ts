import { expect, test } from 'vitest'

import { pointsOf } from './unmatched-lines.ts'

const best = (lines: readonly string[]): string | undefined => {
  const points = pointsOf(lines)
  return lines[points.indexOf(Math.max(...points))]
}

test('the row that differs from the others', () => {
  expect(best(['a.csv 12 rows', 'b.csv row 7 has 9 columns', 'c.csv 14 rows', 'd.csv 9 rows'])).toBe(
    'b.csv row 7 has 9 columns',
  )
})

test('a value above its limit', () => {
  expect(best(['a.js: 231 KiB of 200', 'a.css: 12 KiB of 30', '1 file of 2'])).toBe('a.js: 231 KiB of 200')
})

test('a sentence comes before counts, cleanup and closing messages', () => {
  expect(best(['starting', 'shop berlin has no opening hours', 'removed 4 containers', '1 shop left', 'bye'])).toBe(
    'shop berlin has no opening hours',
  )
})
