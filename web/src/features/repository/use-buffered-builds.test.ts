import { expect, test } from 'vitest'

import { isAbove } from './use-buffered-builds.ts'

test.each([
  ['in view', true, 0, false],
  ['partly above the viewport', true, -1, false],
  ['above the viewport', false, -1, true],
  ['hidden at its top edge', false, 0, false],
  ['below the viewport', false, 900, false],
] as const)('a heading %s: above is %#', (_place, isIntersecting, top, above) => {
  expect(isAbove({ isIntersecting, boundingClientRect: { top } })).toBe(above)
})
