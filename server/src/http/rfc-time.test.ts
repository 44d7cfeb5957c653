import { expect, it } from 'vitest'
import { rfc3339 } from './rfc-time.ts'

it.each([
  [0, '1970-01-01T00:00:00Z'],
  [1_700_000_000, '2023-11-14T22:13:20Z'],
  [-1, '1969-12-31T23:59:59Z'],
  [-62_167_219_200, '0000-01-01T00:00:00Z'],
  [253_402_300_799, '9999-12-31T23:59:59Z'],
  // Years of five digits are not valid in RFC 3339, and larger ones are not valid dates.
  [253_402_300_800, null],
  [-62_167_219_201, null],
  [2 ** 63, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
])('%d is %s', (seconds, text) => {
  expect(rfc3339(seconds)).toBe(text)
})
