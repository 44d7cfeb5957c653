import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { filterParams, isFiltered, meets, noFilter, readFilter } from './filter.ts'

const build = {
  number: 12,
  ref: 'refs/heads/main',
  event: 'push',
  status: 'failure',
  author_login: 'Ann',
  trigger: '@hook',
  message: 'Fix the Discount',
  after: '66c79b21',
} as Build

test('a filter is written to the address and read from it', () => {
  const filter = { ...noFilter, branch: '1.10', status: 'failure' as const, text: ' a b ' }
  expect(readFilter(new URLSearchParams(filterParams(filter)))).toEqual({ ...filter, text: 'a b' })
  expect(readFilter(new URLSearchParams('status=green&event=x'))).toEqual(noFilter)
  expect([isFiltered(noFilter), isFiltered({ ...noFilter, text: ' ' }), isFiltered(filter)]).toEqual([
    false,
    false,
    true,
  ])
})

test.each([
  [{}, true],
  [{ branch: 'main', event: 'push', status: 'failure', author: 'ann', text: 'discount' }, true],
  [{ branch: 'mai' }, false],
  [{ event: 'tag' }, false],
  [{ status: 'success' }, false],
  [{ author: 'an' }, false],
  [{ text: '#12' }, true],
  [{ text: '66c7' }, true],
  [{ text: 'nothing' }, false],
] as const)('%j', (filter, found) => {
  expect(meets(build, { ...noFilter, ...filter })).toBe(found)
})
