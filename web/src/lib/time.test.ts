import { describe, expect, it } from 'vitest'

import { formatAge, formatDate, formatRelative } from './time.ts'

const now = 1_700_000_000

describe('formatDate', () => {
  it('is the en-US form with a plain space, in any time zone', () => {
    expect(formatDate(now)).toMatch(/^Nov 1[45], 2023, \d{1,2}:\d\d [AP]M$/)
  })
})

it('matches Intl for any time', () => {
  const intl = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  // Every nine days and some hours for a hundred years: all months, days, hours, leap years and
  // daylight saving changes.
  const moments = Array.from({ length: 4_000 }, (_, index) => index * 789_012)
  expect(moments.map(formatDate)).toEqual(
    moments.map((seconds) => intl.format(seconds * 1000).replaceAll('\u202F', ' ')),
  )
})

describe('formatRelative', () => {
  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [3_600, '1 hour ago'],
    [172_800, '2 days ago'],
    [-30, 'just now'],
  ])('%i seconds old is %s', (age, text) => {
    expect(formatRelative(now - age, now)).toBe(text)
  })

  it('is absolute after a week', () => {
    expect(formatRelative(now - 7 * 86_400, now)).toBe(formatDate(now - 7 * 86_400))
  })
})

it('an age has a short form for any duration', () => {
  const ages = [3, 60, 3_599, 7_200, 90_000, 375 * 86_400]
  expect(ages.map((age) => formatAge(now - age, now))).toEqual([
    'just now',
    '1 min ago',
    '59 min ago',
    '2 h ago',
    '1 d ago',
    '375 d ago',
  ])
})
