import { expect, test } from 'vitest'

import type { Cause } from '../engine/causes.ts'
import type { SeenCause, SeenCauses } from '../../../api/failure-reason.ts'
import { seenCauseOf, withCause } from './remember.ts'

const cause = (stage: number, step: number, line = 5): SeenCause => ({
  stage,
  step,
  step_name: 'test',
  line,
  text: 'no',
})
const none: SeenCauses = new Map()

test('the first failed step of a build counts, with its latest result', () => {
  const remembered = withCause(none, 7, cause(1, 3))
  expect(withCause(remembered, 7, cause(2, 1)).get(7)).toEqual(cause(1, 3))
  expect(withCause(remembered, 7, cause(1, 2)).get(7)).toEqual(cause(1, 2))
  expect(withCause(remembered, 7, cause(1, 3, 9)).get(7)).toEqual(cause(1, 3, 9))
})

test('only the last builds are kept', () => {
  let known = none
  for (let build = 1; build <= 500; build++) known = withCause(known, build, cause(1, 1))
  expect([...known.keys()]).toEqual(Array.from({ length: 200 }, (_, i) => 301 + i))
  // Viewing an entry again makes it the most recent.
  expect([...withCause(known, 301, cause(1, 1)).keys()].at(-1)).toBe(301)
})

test('a step’s first error line or its failed test is kept, unless it is a guess', () => {
  const address = { namespace: 'a', name: 'b', build: 7, stage: 1, step: 3 }
  const line = { index: 4, number: 5, text: '  no such file ' } as Cause
  const seen = (first: Cause | undefined) => seenCauseOf(address, { name: 'test' }, first)
  expect(seen(line)).toEqual({ stage: 1, step: 3, step_name: 'test', line: 5, text: 'no such file' })
  expect(seen({ ...line, test: { name: 'adds', failed: 1, total: 2, message: '2 !== 3' } })?.text).toBe(
    'adds – 2 !== 3',
  )
  expect(seen({ ...line, guess: true })).toBeUndefined()
  expect(seen(undefined)).toBeUndefined()
})
