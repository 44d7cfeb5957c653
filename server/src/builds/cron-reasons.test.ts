import { expect, test } from 'vitest'
import { parseCronExpression } from './cron-expression.ts'
import { explainInvalid } from './cron-reasons.ts'

const days = 'L, W and # are not supported; write days as numbers or names'

test.each([
  [
    'TZ=Europe/Berlin 0 0 8 * * *',
    'leave out "TZ=Europe/Berlin": the server sets the time zone of all cron jobs (--time-zone)',
  ],
  ['CRON_TZ=UTC 0 0 8 * * *', 'leave out "CRON_TZ=UTC": the server sets the time zone of all cron jobs (--time-zone)'],
  ['@reboot', '"@reboot" is unknown: write @hourly, @daily, @weekly, @monthly, @yearly or "@every 1h30m"'],
  ['@Weekly', '"@Weekly" is unknown: write @hourly, @daily, @weekly, @monthly, @yearly or "@every 1h30m"'],
  ['@every 1d', 'write a duration with hours, minutes or seconds, such as "@every 1h30m"'],
  ['0 0 0 L * *', `"L" is no day of the month: ${days}`],
  ['0 0 0 15W JUL *', `"15W" is no day of the month: ${days}`],
  ['0 0 0 * * WED#2', `"WED#2" is no day of the week: ${days}`],
  ['0 0 24 * * *', '"24" is no hour: write a number from 0 to 23'],
  ['0 0-60 0 * * *', '"0-60" is no minute: write a number from 0 to 59'],
  ['H 0 0 * * *', '"H" is no second: write a number from 0 to 59'],
  ['0 0 0 5-1 * *', '"5-1" is no day of the month: a range starts with its lower end'],
  ['0 0 0 */0 * *', '"*/0" is no day of the month: a step is a number from 1'],
  [
    '0 0 0 * * * 2030',
    'it has 7 fields, but needs six: second, minute, hour, day of the month, month, day of the week',
  ],
  ['0 0 0 31 2 *', 'no day has this date'],
])('%j: %s', (expression, why) => {
  expect(parseCronExpression(expression, 'UTC')).toBeNull()
  expect(explainInvalid(expression)).toBe(why)
})

test.each(['', ' ', 'never', '0 3 * *'])('%j has the text that clients know', (expression) => {
  expect(explainInvalid(expression)).toBeNull()
})
