import { describe, expect, it } from 'vitest'

import { ServerClock } from './server-clock.ts'

/** A browser with a clock `error` milliseconds ahead of the server's. */
const browser = (error: number) => {
  const clock = new ServerClock()
  let local = error
  const noon = Date.parse('2026-03-01T12:00:00.400Z')
  return {
    clock,
    set: (next: number) => (local = next),
    /** A response that the server wrote at `second`, with its travel times. */
    answer: (second: number, { outboundMs = 40, returnMs = 60, cachedFor = 0 } = {}) => {
      const written = noon + second * 1_000
      const date = new Date(written - cachedFor).toUTCString()
      clock.addResponse(date, written - outboundMs + local, written + returnMs + local, written + returnMs - noon)
    },
    /** The error of the estimated server time. */
    wrongBy: () => Math.abs(clock.offset + local),
  }
}

describe('the server’s clock', () => {
  it.each([0, 300_000, -300_000, 86_400_000 * 400, -86_400_000 * 400])(
    'is found if the local clock is %i ms ahead',
    (error) => {
      const { answer, wrongBy } = browser(error)
      answer(1)
      expect(wrongBy()).toBeLessThan(1_000)
    },
  )

  it('does not change a clock that can be right', () => {
    const { answer, clock } = browser(200)
    answer(1)
    answer(2)
    expect(clock.offset).toBe(0)
  })

  it('is more precise for faster responses, and a slow one does no harm', () => {
    const { answer, wrongBy } = browser(300_000)
    answer(1, { outboundMs: 20_000, returnMs: 20_000 })
    answer(30)
    answer(60, { outboundMs: 20_000, returnMs: 20_000 })
    expect(wrongBy()).toBeLessThan(1_000)
  })

  it('is not taken from a cached response, or one without a date', () => {
    const { answer, wrongBy, clock } = browser(-300_000)
    answer(1)
    answer(5, { cachedFor: 3_600_000 })
    answer(6, { cachedFor: 3_601_000 })
    clock.addResponse(null, 0, 0, 0)
    clock.addResponse('yesterday', 0, 0, 0)
    expect(wrongBy()).toBeLessThan(1_000)
  })

  it('is found even if the first response was cached', () => {
    const { answer, wrongBy } = browser(300_000)
    answer(1, { cachedFor: 3_600_000 })
    answer(2)
    expect(wrongBy()).toBeLessThan(1_000)
  })

  it('is found again after the local clock was set', () => {
    for (const to of [0, 600_000]) {
      const { answer, set, wrongBy } = browser(300_000)
      answer(1)
      set(to)
      answer(10)
      answer(15)
      expect(wrongBy()).toBeLessThan(1_000)
    }
  })
})
