import { expect, test } from 'vitest'

import { readCron } from './cron-words.ts'

test.each([
  ['@hourly', 'Every hour, on the hour'],
  ['@weekly', 'Every Sunday at 00:00'],
  ['@every 90m', 'Every 90m, counted from the last run'],
  ['0 0 3 * * *', 'Every day at 03:00'],
  ['15 0 3 * * *', 'Every day at 03:00:15'],
  ['0 30 4 * * 1-5', 'From Monday to Friday at 04:30'],
  ['0 30 4,16 * * *', 'Every day at 04:30 and 16:30'],
  ['0 0 0 1 * *', 'On day 1 of every month at 00:00'],
  ['0 0 9 * * MON', 'On Monday at 09:00'],
  ['0 0 9 1 JAN *', 'On day 1 in January at 09:00'],
  ['0 0 9 1,15 * MON', 'On day 1 and 15 or on Monday at 09:00'],
  ['0 0 9 */2 * MON', 'On every 2 days and on Monday at 09:00'],
  ['0 */15 * * * *', 'Every 15 minutes'],
  ['0 30 * * * *', 'Every hour, at minute 30'],
  ['0 0 * * * *', 'Every hour, on the hour'],
  ['0 */15 9-17 * * 1-5', 'From Monday to Friday: in the hours 9 to 17, every 15 minutes'],
  ['0 * * * * *', 'Every minute'],
  ['*/10 * * * * *', 'Every 10 seconds'],
  ['0 0 */6 * * *', 'Every 6 hours, at minute 0'],
  ['0 0 9 * * 0', 'On Sunday at 09:00'],
  ['0 0 9 * * 7', 'On Sunday at 09:00'],
])('%s reads: %s', (expression, words) => {
  expect(readCron(expression)).toBe(words)
})

test.each(['', 'daily', '0 3 * * *', '0 0 3 * * <script>'])('%j is not an expression', (expression) => {
  expect(readCron(expression)).toBeUndefined()
})
