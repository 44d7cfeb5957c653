import { expect, it } from 'vitest'

import { keepOrder } from './stable-order.ts'

const list = (...keys: string[]) => keys.map((key) => ({ key }))
const ordered = (shown: string[], now: string[]): string[] =>
  keepOrder(list(...shown), list(...now), ({ key }) => key).map(({ key }) => key)

it('keeps the shown order', () => {
  expect(ordered(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual(['a', 'b', 'c'])
})

it('puts new items last and drops removed ones', () => {
  expect(ordered(['a', 'b', 'c'], ['d', 'c', 'a'])).toEqual(['a', 'c', 'd'])
})

it('is the same list if the order is the same', () => {
  const items = list('a', 'b')
  expect(keepOrder(list('a', 'b'), items, ({ key }) => key)).toBe(items)
})
