import { expect, test } from 'vitest'

import { normalise } from './normalise.ts'

test.each([
  ['of another time', 'took 1.24 s', 'took 900 ms'],
  ['at another moment', '2026-11-22T09:10:11.123Z Starting', '2026-11-21T23:59:59.001Z Starting'],
  ['of another commit', 'HEAD is now at 4f2a91c Fix it', 'HEAD is now at deadbeef Fix it'],
  ['in another folder', 'cloned into /tmp/build-12/src/a.ts', 'cloned into /var/lib/x/a.ts'],
  ['of another size', 'added 12 packages, 3.1 MB', 'added 1,204 packages, 900 kB'],
  ['in other colours', '\u001b[31mred\u001b[0m', 'red'],
  ['as it was overwritten', '10%\r50%\rdone', 'done'],
])('takes two lines for the same: %s', (_what, first, other) => {
  expect(normalise(first)).toBe(normalise(other))
})

test.each([
  ['of other words', 'expected a', 'expected b'],
  ['of another error code', 'a.ts: error TS2322: x', 'a.ts: error TS2345: x'],
  ['about another file', 'src/a.ts: not found', 'src/b.ts: not found'],
])('tells two lines apart: %s', (_what, first, other) => {
  expect(normalise(first)).not.toBe(normalise(other))
})
