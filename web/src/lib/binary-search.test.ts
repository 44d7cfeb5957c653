import { expect, test } from 'vitest'
import { binarySearch } from './binary-search.ts'

test('finds the first index that holds, at each length', () => {
  for (let length = 0; length < 20; length++)
    for (let first = 0; first <= length; first++)
      expect(
        binarySearch(length, (index) => index >= first),
        `${first} of ${length}`,
      ).toBe(first)
})

test('checks no index outside, and few inside', () => {
  const requests: number[] = []
  binarySearch(1000, (index) => requests.push(index) > 0 && index >= 700)
  expect(requests.every((index) => index >= 0 && index < 1000)).toBe(true)
  expect(requests.length).toBeLessThanOrEqual(10)
})
