import { expect, it } from 'vitest'
import { errorMessage } from './error-message.ts'

it.each([
  ['an error', new Error('no space'), 'no space'],
  ['an error of a kind of its own', new TypeError('no number'), 'no number'],
  ['a text', 'no space', 'no space'],
  ['nothing', undefined, 'undefined'],
])('%s has a message', (_what, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message)
})
