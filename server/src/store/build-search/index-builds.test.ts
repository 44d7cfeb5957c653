import { describe, expect, it } from 'vitest'
import { nextBatchSize } from './index-builds.ts'

describe('the number of builds in the next transaction', () => {
  it('is smaller on a slow machine, so that calls wait only some milliseconds', () => {
    expect(nextBatchSize(100, 500)).toBe(5)
    expect(nextBatchSize(100, 50)).toBe(10)
    expect(nextBatchSize(5, 500)).toBe(5)
  })
  it('is larger on a fast machine, up to the limit', () => {
    expect(nextBatchSize(10, 4)).toBe(12)
    expect(nextBatchSize(10, 0)).toBe(20)
    expect(nextBatchSize(200, 0.01)).toBe(200)
  })
})
