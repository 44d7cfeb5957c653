import { expect, test } from 'vitest'
import { faultsIn, pick } from './faults.mjs'

test('each comparison, logical operator, sum and boolean is one fault', () => {
  const source = 'export const f = (a: number) =>\n  a > 1 && a + 2 !== 3 ? true : `${a}`\n'
  const faults = faultsIn('a.ts', source)
  expect(faults.map(({ line, from, to }) => `${line} ${from} ${to}`).toSorted()).toEqual(
    ['2 !== ===', '2 && ||', '2 + -', '2 > >=', '2 true false'].toSorted(),
  )
  expect(faults.find(({ from }) => from === '>')?.changed).toContain('a >= 1 && a + 2 !== 3')
})

test('the same seed makes the same choice', () => {
  const list = Array.from({ length: 100 }, (_, index) => index)
  expect(pick(list, 10, 7)).toEqual(pick(list, 10, 7))
  expect(new Set(pick(list, 10, 7)).size).toBe(10)
  expect(pick(list, 10, 7)).not.toEqual(pick(list, 10, 8))
  expect(pick([1], 10, 7)).toEqual([1])
})
