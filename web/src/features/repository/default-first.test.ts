import type { Build } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { defaultFirst } from './default-first.ts'

const of = (...targets: string[]) => targets.map((target) => ({ target }) as Build)

it('the default branch comes first, and the others keep their order', () => {
  expect(defaultFirst(of('a', 'b', 'main', 'c'), 'main')).toEqual(of('main', 'a', 'b', 'c'))
})

it('a list without it, or that begins with it, stays as it is', () => {
  const lists = [of('a', 'b'), of('main', 'a'), of()]
  for (const list of lists) expect(defaultFirst(list, 'main')).toBe(list)
})
