import { expect, test } from 'vitest'

import { ruleOf } from './index.ts'

const kindOf = (line: string) => {
  const found = ruleOf(line)
  return found && [found.reason, found.weight]
}
const assertion = '[ERROR]   CartTest.adds:7 the sum expected:<1> but was:<2>'
const message = 'Commands should not change things if nothing needs doing.'

test('without its prefix a line scores 2 less, if that is higher than its score with the prefix', () => {
  expect(kindOf('FATAL: no cart')).toEqual(['error', 78])
  expect(kindOf('packages/cart test: FATAL: no cart')).toEqual(['error', 76])
})

test('a line that scores as high with its prefix keeps its kind and weight', () => {
  // Without the prefix it matches an error of weight 72.
  expect(kindOf(assertion)).toEqual(['error', 72])
  expect(kindOf(`api: ${assertion}`)).toEqual(['assertion', 70])
  expect(kindOf(`no-changed-when: ${message}`)).toEqual(kindOf(message))
})

test('a prefix alone matches no rule', () => {
  expect(kindOf('api: all is well')).toBeUndefined()
})
