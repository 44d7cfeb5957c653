import { expect, test } from 'vitest'

import { nearestFileLocation } from './nearest-location.ts'

const trace = [
  'at other (src/b.ts:1:1)',
  'AssertionError: 3 !== 4',
  '    at assert (/drone/src/node_modules/chai/index.js:7:1)',
  '    at add (src/a.test.ts:12:3)',
  '    at run (src/c.ts:4:3)',
]

test.each([
  ['behind the reason stands where it is, in a file of the reader', trace, 1, 'src/a.test.ts:12'],
  ['the line itself comes first', trace, 4, 'src/c.ts:4'],
  ['what stands before it is better than nothing', ['src/b.ts:1:1', '', 'Error'], 2, 'src/b.ts:1'],
  ['the nearest of what stands before it', ['src/b.ts:1', 'src/c.ts:2', 'Error'], 2, 'src/c.ts:2'],
  ['code of others, where there is nothing else', trace.slice(0, 3), 2, 'src/b.ts:1'],
  ['code of others alone', ['node_modules/x/i.js:3'], 0, 'node_modules/x/i.js:3'],
  ['nothing', ['Error'], 0, undefined],
])('%s', (_what, lines, at, expected) => {
  const place = nearestFileLocation(lines, at)
  expect(place && `${place.path}:${place.line}`).toBe(expected)
})
