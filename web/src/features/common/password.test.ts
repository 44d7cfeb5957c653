import { expect, test } from 'vitest'
import { passwordError, repeatError } from './password.ts'

test('a password has at least eight characters, any characters', () => {
  expect(passwordError('1234567')).toBe('Use at least 8 characters.')
  expect(passwordError('        ')).toBeUndefined()
})

test('the repetition must be identical', () => {
  expect(repeatError('one', 'One')).toBe('The passwords don’t match.')
  expect(repeatError('one', 'one')).toBeUndefined()
})
