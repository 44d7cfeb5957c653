import { expect, it } from 'vitest'
import { startClock } from './monotonic-time.ts'

it.each([3600, -3600])('a clock of a stage does not follow a wall clock that jumps by %i seconds', (jump) => {
  let wallMs = 1_700_000_000_000
  let passedMs = 5_000
  const now = startClock(
    () => wallMs,
    () => passedMs,
  )
  expect(now()).toBe(1_700_000_000)
  wallMs += jump * 1000
  passedMs += 2_500
  expect(now()).toBe(1_700_000_002)
})
