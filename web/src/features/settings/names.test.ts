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

test('a secret has at most 64 KiB and 2,000 lines', () => {
  const limits = [
    ['x'.repeat(65_536), undefined],
    ['x'.repeat(65_537), 'Invalid Secret Value: it has more than 65,536 bytes'],
    ['é'.repeat(32_768), undefined],
    ['é'.repeat(32_769), 'Invalid Secret Value: it has more than 65,536 bytes'],
    ['x\n'.repeat(1_999), undefined],
    ['x\r\n'.repeat(2_000), 'Invalid Secret Value: it has more than 2,000 lines'],
    ['x\r'.repeat(2_000), 'Invalid Secret Value: it has more than 2,000 lines'],
  ] as const
  for (const [value, error] of limits) expect(secretValueError(value)).toBe(error)
})

test('a cron name must have a non-empty slug', () => {
  for (const name of ['nightly', 'Nightly Build', '夜']) expect(cronNameError(name)).toBeUndefined()
  for (const name of ['', ' ', '---', '!?']) expect(cronNameError(name)).toBe('Invalid Cronjob Name')
})

test('a cron expression is left to the server unless it is one word or has 5 fields', () => {
  for (const good of [
    '@hourly',
    '@every 1h30m',
    '0 */5 * * * MON-FRI',
    '@reboot',
    'TZ=UTC 0 0 3 * * *',
    '0 0 3 L * *',
  ]) {
    expect(cronExpressionError(good)).toBeUndefined()
  }
  for (const bad of ['', ' ', 'never']) {
    expect(cronExpressionError(bad)).toBe('Invalid Cronjob Expression')
  }
  expect(cronExpressionError('* * * * *')).toBe('The seconds come first: write "0 * * * * *"')
})
