import { describe, expect, it } from 'vitest'
import { nextBatchSize } from './index-builds.ts'

describe('builds of the next transaction', () => {
  it('are fewer on a slow machine, so that calls wait for some milliseconds only', () => {
    expect(nextBatchSize(100, 500)).toBe(5)
    expect(nextBatchSize(100, 50)).toBe(10)
    expect(nextBatchSize(5, 500)).toBe(5)
  })
  it('are more on a quick one, within bounds', () => {
    expect(nextBatchSize(10, 4)).toBe(12)
    expect(nextBatchSize(10, 0)).toBe(20)
    expect(nextBatchSize(200, 0.01)).toBe(200)
  })
})
