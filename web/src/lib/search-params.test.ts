import { expect, test } from 'vitest'

import { onlyParams, withParams } from './search-params.ts'

test('a parameter changes, the others stay as they were written', () => {
  expect(withParams('', { view: 'graph' })).toBe('?view=graph')
  expect(withParams('?x=1.10&view=log', { view: 'graph' })).toBe('?x=1.10&view=graph')
  expect(withParams('?view=graph', { details: '' })).toBe('?view=graph&details')
  expect(withParams('?details', { details: undefined })).toBe('')
  expect(withParams('?view=log&details&view=log', { view: 'graph' })).toBe('?view=graph&details')
  expect(withParams('', { stages: 'a b&c' })).toBe('?stages=a%20b%26c')
})

test('some parameters only, as they were written', () => {
  expect(onlyParams('?a=1.10&b&c=%2F', ['c', 'a'])).toBe('?a=1.10&c=%2F')
  expect(onlyParams('?constructor=1', ['a'])).toBe('')
})
