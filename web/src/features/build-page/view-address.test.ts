import { expect, test } from 'vitest'

import { searchAtStep, searchOfView, viewIn } from './view-address.ts'

test('a URL names a view, or none', () => {
  expect(viewIn('?view=graph')).toBe('graph')
  expect(viewIn('?details&view=log')).toBe('log')
  for (const search of ['', '?view', '?view=', '?view=Graph', '?view=constructor', '?review=graph'])
    expect(viewIn(search)).toBeUndefined()
})

test('a different view starts fresh', () => {
  expect(searchOfView('?details&view=graph&stages=80-1-2&steps=80-1-2&drawer=step', 'log')).toBe('?details&view=log')
})

test('a different step keeps the view, a different stage resets the position in the step graph', () => {
  const search = '?view=graph&stages=80-1-2&steps=90-3-4&details&drawer=step'
  expect(searchAtStep(search, true)).toBe('?view=graph&stages=80-1-2&steps=90-3-4&drawer=step')
  expect(searchAtStep(search, false)).toBe('?view=graph&stages=80-1-2&drawer=step')
  expect(searchAtStep('?details', true)).toBe('')
})
