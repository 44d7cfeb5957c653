import { expect, it } from 'vitest'

import { parseSearch, printSearch } from './search-params.ts'

it.each(['?branch=1.10', '?a=1&a=2', '?q=true', '?q=%22x%22', '?__proto__=x', '?a=', ''])(
  'keeps %s as it is',
  (search) => {
    expect(printSearch(parseSearch(search))).toBe(search)
  },
)

it('reads every value as text', () => {
  expect(parseSearch('?branch=1.10&on=true')).toEqual({ branch: '1.10', on: 'true' })
})

it('leaves out what is not there', () => {
  expect(printSearch({ a: undefined, b: null })).toBe('')
})
