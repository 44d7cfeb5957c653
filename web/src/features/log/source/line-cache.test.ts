import { expect, test } from 'vitest'

import type { LineView } from '../engine/view.ts'
import { LineCache } from './line-cache.ts'

const view = (index: number): LineView => ({ index, number: index + 1, time: 0, parts: [], cut: 0 })
const filled = (total: number, bytes = 100): LineCache => {
  const cache = new LineCache()
  cache.put(
    Array.from({ length: total }, (_, index) => view(index)),
    'key',
    total,
    bytes,
  )
  return cache
}

test('a cached line is not missing while its key stays the same', () => {
  const cache = filled(3)
  expect(cache.lacking([0, 1, 2], 3, 'key', 100)).toEqual([])
  expect(cache.lacking([0, 1], 3, 'another', 100)).toEqual([0, 1])
  expect(cache.lacking([2, 3, 4], 4, 'key', 100)).toEqual([3])
})

test('the last line is missing once there are more bytes; those before it are not', () => {
  const cache = filled(3)
  expect(cache.lacking([0, 1, 2], 3, 'key', 101)).toEqual([2])
})

test('no line after the last one is missing', () => {
  expect(new LineCache().lacking([0, 1, 2], 2, 'key', 100)).toEqual([0, 1])
})
