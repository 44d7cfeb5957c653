import { expect, test } from 'vitest'

import type { Cause } from '../engine/causes.ts'
import { nextCause } from './next-cause.ts'

const cause = (index: number): Cause => ({ index, number: index + 1, text: '', before: [], after: [] })
/** Most relevant first. */
const causes = [cause(40), cause(10), cause(70)]

test.each([
  ['without a current line, starts with the most relevant one', undefined, 1, 40],
  ['backwards, too', undefined, -1, 40],
  ['forth', 40, 1, 70],
  ['back', 40, -1, 10],
  ['round at the end', 70, 1, 10],
  ['round at the beginning', 10, -1, 70],
  ['from a line between them', 50, 1, 70],
] as const)('%s', (_what, at, way, to) => {
  expect(nextCause(causes, at, way)?.index).toBe(to)
})

test('there is no target without error lines', () => {
  expect(nextCause([], undefined, 1)).toBeUndefined()
  expect(nextCause([], 3, -1)).toBeUndefined()
})
