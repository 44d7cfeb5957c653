import { expect, test } from 'vitest'
import { cronExpressionError, cronNameError, secretNameError, secretValueError } from './names.ts'

test('secret names hold letters, digits, dash, underscore and dot', () => {
  for (const name of ['TOKEN', 'a.b-c_9', '__proto__']) expect(secretNameError(name)).toBeUndefined()
  for (const name of ['', 'two words', 'a/b', 'ünder', 'a\n', '.', '..'])
    expect(secretNameError(name)).toBe('Invalid Secret Name')
})

test('a secret has a value; spaces are one', () => {
  expect(secretValueError('')).toBe('Invalid Secret Value')
  expect(secretValueError(' ')).toBeUndefined()
})

test('a cron name must leave something of itself in a slug', () => {
  for (const name of ['nightly', 'Nightly Build', '夜']) expect(cronNameError(name)).toBeUndefined()
  for (const name of ['', ' ', '---', '!?']) expect(cronNameError(name)).toBe('Invalid Cronjob Name')
})

test('cron expressions are macros or 5 to 6 fields', () => {
  for (const good of ['@hourly', '@every 1h30m', '0 0 2 * *', '0 */5 * * * MON-FRI']) {
    expect(cronExpressionError(good)).toBeUndefined()
  }
  for (const bad of ['', '@never', '* * *', '* * * * * * *', '0 0 2 * !']) {
    expect(cronExpressionError(bad)).toBe('Invalid Cronjob Expression')
  }
})
