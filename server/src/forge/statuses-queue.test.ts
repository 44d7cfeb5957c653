/** When a status is sent again. */
import { describe, expect, it } from 'vitest'
import { ForgeError } from './driver.ts'
import { nextAttempt } from './statuses-queue.ts'

describe('a status that the forge does not take', () => {
  it('is repeated later and later, as the forge asks, and never where it was refused', () => {
    const down = new ForgeError('unavailable', 'Down.')
    expect([0, 1, 2, 20].map((attempts) => nextAttempt(down, attempts, 100) - 100)).toEqual([5, 10, 20, 1800])
    expect(nextAttempt(new ForgeError('rate-limited', 'Later.', { retryAfterMs: 60_000 }), 0, 100)).toBe(160)
    expect(nextAttempt(new ForgeError('refused', 'No.', { status: 422 }), 0, 100)).toBe(0)
    expect(nextAttempt(down, 200, 100)).toBe(0)
  })
})
