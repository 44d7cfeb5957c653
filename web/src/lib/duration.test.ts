import { expect, it } from 'vitest'

import { formatDuration, isUnfinished } from './duration.ts'

it.each([
  [0, '0s'],
  [-5, '0s'],
  [59.9, '59s'],
  [64, '1m 04s'],
  [3_600, '1h 00m 00s'],
  [90_061, '25h 01m 01s'],
])('%d seconds read %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

it.each([
  ['running', 100, 0, true],
  ['running', 0, 0, false],
  ['success', 100, 164, false],
  ['declined', 100, 0, false],
  ['killed', 100, undefined, false],
])('%s, from %s to %s: under way %s', (status, started, finished, expected) => {
  expect(isUnfinished(status, started, finished)).toBe(expected)
})
