import { expect, test } from 'vitest'

import { RowKeys } from './row-keys.ts'

test('the key of a row is its line, at any position', () => {
  const keys = new RowKeys()
  const [one, two, three] = keys.of([1, 2, 3], false)
  expect(keys.of([2, 3, 4], false).slice(0, 2)).toEqual([two, three])
  expect(keys.of([0, 1, 2], false)).not.toContain(one)
})

test('in a burst the key of a row is its position, and no row is removed when it starts or ends', () => {
  const keys = new RowKeys()
  const read = keys.of([1, 2, 3, 4], false)
  const burst = keys.of([501, 502, 503], true)
  expect(burst).toEqual(read.slice(0, 3))
  expect(keys.of([901, 902, 903], true)).toEqual(burst)
  const after = keys.of([899, 900, 901, 902, 903, 904], false)
  expect(after.slice(2, 5)).toEqual(burst)
  expect(new Set(after).size).toBe(6)
})

test('rendering twice gives the same keys', () => {
  const keys = new RowKeys()
  keys.of([1, 2], false)
  const twice = () => [keys.of([2, 3, 4], true), keys.of([2, 3, 4], true)]
  const [first, second] = twice()
  expect(second).toEqual(first)
})
