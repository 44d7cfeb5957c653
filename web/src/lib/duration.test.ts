import { expect, it } from 'vitest'

import { formatDuration } from './duration.ts'

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
