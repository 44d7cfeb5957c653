/**
 * The edges of what is an expression; what people write every day is tested with the jobs
 * (cron.test.ts).
 */
import { expect, test } from 'vitest'
import { explainExpression, parseCronExpression } from './cron-expression.ts'

const from = Date.parse('2026-03-04T10:06:07Z') / 1000
const next = (expression: string) => {
  const time = parseCronExpression(expression, 'UTC')?.next(from)
  return time === undefined ? null : new Date(time * 1000).toISOString().replace('.000Z', '')
}

test.each([
  ['@annually', '2027-01-01T00:00:00'],
  ['@monthly', '2026-04-01T00:00:00'],
  ['@midnight', '2026-03-05T00:00:00'],
  ['  @hourly\t', '2026-03-04T11:00:00'],
  // Seconds first, also with five fields.
  ['30 0 3 * *', '2026-03-05T03:00:30'],
  ['30 0 3 * * *', '2026-03-05T03:00:30'],
  ['30   0\t3 * *', '2026-03-05T03:00:30'],
  ['0 0 0 ? * ?', '2026-03-05T00:00:00'],
  ['0 0 0 ? * sun', '2026-03-08T00:00:00'],
  ['0 0 0 1-2,9 * *', '2026-03-09T00:00:00'],
  ['0 0-30/10 * * * *', '2026-03-04T10:10:00'],
  ['0 0 0 29 2 *', '2028-02-29T00:00:00'],
  // As robfig/cron reads them, which is Drone's.
  ['0 */70 * * * *', '2026-03-04T11:00:00'],
  ['0 0 0 5/40 * *', '2026-03-05T00:00:00'],
  ['0 0 0 7-9/31 * *', '2026-03-07T00:00:00'],
  // Both days must match, although a step this large leaves one value.
  ['0 0 0 1 * */7', '2026-11-01T00:00:00'],
  ['0 0 0 */31 * 1', '2026-06-01T00:00:00'],
  ['*/100 * * * *', '2026-03-04T10:07:00'],
  ['0 5,,6 * * * *', '2026-03-04T11:05:00'],
  ['1, * * * *', '2026-03-04T10:07:01'],
  ['0 +5 * * * *', '2026-03-04T11:05:00'],
  ['001 005 * * *', '2026-03-04T11:05:01'],
  ['0 0 0 *-5 * *', '2026-03-05T00:00:00'],
])('%j fires at %s', (expression, expected) => expect(next(expression)).toBe(expected))

test.each([
  ['1h', 3600],
  ['1.5h', 5400],
  ['1h1m1s', 3661],
  ['2m2500ms', 122],
  ['60s3000000us', 63],
  ['60s3000000µs', 63],
  ['60s2000000000ns', 62],
  // Once a minute at most.
  ['0.5m', 60],
  ['1ms', 60],
  ['0s', 60],
  // A hundred years of 366 days.
  ['878400h', 878_400 * 3600],
])('@every %s is %i seconds', (duration, seconds) => {
  expect(parseCronExpression(`@every ${duration}`, 'UTC')?.next(from)).toBe(from + seconds)
})

test.each([
  '@every 878401h',
  '@every 10',
  '@every 1h2',
  '@every -1h',
  '@every x1h',
  '@every 1hx',
  '@every 1.h',
  '@every 1h 1m',
  'x @every 1h',
  '@every1h',
  '@Daily',
  '*/5/2 * * * *',
  '*/x * * * *',
  '*/x5 * * * *',
  '*/5x * * * *',
  '*/ * * * *',
  '1-2-3 * * * *',
  '*-1-2 * * * *',
  ', * * * *',
  '-5 * * * *',
  '5.0 * * * *',
  '*/-5 * * * *',
  '1000000000 * * * *',
  '1- * * * *',
  '-1 * * * *',
  '* * * * SUNDAY',
  '* * * * xMON',
  '*,L * * * *',
  '0 0 0 31 4 *',
])('%j is no expression', (expression) => expect(next(expression)).toBeNull())

test('a time zone that does not exist', () => expect(parseCronExpression('@daily', 'Nowhere/Else')).toBeNull())

test('250 characters are enough', () => {
  const long = (length: number) => `0 ${'1,'.repeat((length - 12) / 2)}11 * * * *`
  expect([long(250).length, next(long(250))]).toEqual([250, '2026-03-04T10:11:00'])
  expect([long(252).length, next(long(252))]).toEqual([252, null])
})

test.each([
  // A field that starts with `*`, even with a step: both must match. The 1st, 11th, 21st or 31st,
  // and a Monday.
  ['0 0 0 */10 * 1', '2026-05-11T00:00:00'],
  ['0 0 0 11 * */6', '2026-04-11T00:00:00'],
  ['0 0 0 5,*/10 * 1', '2026-05-11T00:00:00'],
  // Otherwise one is enough.
  ['0 0 0 1-31/10 * 1', '2026-03-09T00:00:00'],
  ['0 0 0 13 * FRI', '2026-03-06T00:00:00'],
])('the days of %j are %s', (expression, expected) => expect(next(expression)).toBe(expected))

test.each([
  '* * * * * *',
  '*/10 * * * * *',
  '0,30 * * * * *',
  '1-2 0 0 1 1 *',
  '5/20 * * * * *',
  '@every 59s',
  '@every 1ms',
])('%j is once a minute at most', (expression) => {
  const schedule = parseCronExpression(expression, 'UTC')
  expect(schedule?.isTooOften).toBe(true)
  let time = from
  for (let times = 0; times < 5; times += 1) {
    const then = schedule?.next(time) ?? 0
    expect(then - time).toBeGreaterThanOrEqual(60)
    time = then
  }
})

test.each(['* * * * *', '0 3 * * *', '*/5 * * * *', ' 30  2 * * MON-FRI '])('%j is told apart', (expression) => {
  const six = `0 ${expression.trim().replaceAll(/\s+/g, ' ')}`
  expect(explainExpression(expression)).toContain(`write "${six}"`)
  expect(explainExpression(six)).toBeNull()
})

// robfig/cron, which is Drone's, knows no 7 and no range that ends with Sunday.
test.each([
  ['0 0 0 * * 7', '0 0 0 * * 0'],
  ['0 0 0 * * 1-7', '0 0 0 * * 1-6,0'],
  ['0 0 0 * * 0-7', '0 0 0 * * 0-6,0'],
  ['0 0 0 * * 6-7', '0 0 0 * * 6,0'],
  ['0 0 0 * * 1,7', '0 0 0 * * 1,0'],
  ['0 0 0 * * 0,7', '0 0 0 * * 0'],
  ['0 0 0 * * mon-SUN', '0 0 0 * * mon-6,0'],
  ['0 0 0 * * 1-7/2', '0 0 0 * * 1-6/2'],
])('a new job cannot have %j, but %j', (expression, form) => {
  expect(explainExpression(expression)).toBe(`the days of the week are 0 (Sunday) to 6: write "${form}"`)
  expect(explainExpression(form)).toBeNull()
  // A job of an earlier day has it.
  expect(next(expression)).not.toBeNull()
})

test('a sentence shows both at once', () => {
  expect(explainExpression('0 9 * * 7')).toMatch(/write "0 0 9 \* \* 0"$/)
})

test.each([
  '0 0 0 * * 0',
  '0 0 0 * * SUN',
  '0 0 0 * * 0-6',
  '0 0 0 * * SUN-TUE',
  '0 0 7 7 7 *',
  '@weekly',
  '@every 7h',
])('a new job can have %j', (expression) => expect(explainExpression(expression)).toBeNull())
