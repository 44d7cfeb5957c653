import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { withParams } from '../../lib/search-params.ts'
import { filterParams, isFiltered, noFilter, readAddress, readConditions } from './filter.ts'
import { matchesFilter } from './matches-filter.ts'

const day = (year: number, month: number, date: number): number => new Date(year, month - 1, date).getTime() / 1000
/** In the middle of 27 November 2026, in the local time zone. */
const now = day(2026, 11, 27) + 43_200

const build = {
  number: 12,
  ref: 'refs/heads/main',
  event: 'promote',
  status: 'failure',
  author_login: 'Ann',
  trigger: '@hook',
  message: 'Fix the Discount',
  after: '66c79b21',
  deploy_to: 'staging',
  created: now - 700,
  started: now - 660,
  finished: now - 60,
} as Build

const read = (query: string) => readConditions(readAddress(new URLSearchParams(query), 'builds'), now)

test('a filter survives the way into the URL and back', () => {
  const filter = { ...noFilter, branch: '1.10', status: 'failure', text: 'a b', since: '7d' }
  const search = withParams('?environment=x&view=graph', filterParams(filter, 'builds'))
  expect(search).toBe('?view=graph&text=a%20b&status=failure&branch=1.10&since=7d')
  expect(readAddress(new URLSearchParams(search), 'builds')).toEqual(filter)
  expect([noFilter, { ...noFilter, text: 'x' }].map(isFiltered)).toEqual([false, true])
})

test('a list only has its own filters', () => {
  expect(withParams('?environment=production', filterParams({ ...noFilter, author: 'ann' }, 'deployments'))).toBe(
    '?environment=production&author=ann',
  )
  expect(readAddress(new URLSearchParams('environment=production&longer=1m'), 'deployments')).toEqual(noFilter)
})

test.each([
  ['since=today', { since: day(2026, 11, 27) }],
  ['since=7d', { since: day(2026, 11, 21) }],
  ['since=2026-02-28&until=2026-02-28', { since: day(2026, 2, 28), until: day(2026, 3, 1) }],
  ['longer=90s&shorter=1h30m', { longer: 90, shorter: 5400 }],
  ['longer=10+min', { longer: 600 }],
  ['status=waiting_on_dependencies&event=pull_request', { status: 'waiting_on_dependencies', event: 'pull_request' }],
])('%s', (query, conditions) => {
  expect(read(query)).toEqual({ conditions, faults: {} })
})

const noDate = 'is not a date. Use a date such as 2026-11-27, or today, 7d or 30d.'
const noDuration = 'is not a duration. Use a duration such as 90s, 10m or 1h30m.'

test.each([
  ['status=green', 'status', 'Unknown status “green”.'],
  ['event=toString', 'event', 'Unknown event “toString”.'],
  ['since=2026-02-30', 'since', `“2026-02-30” ${noDate}`],
  ['until=0d', 'until', `“0d” ${noDate}`],
  ['since=yesterday', 'since', `“yesterday” ${noDate}`],
  ['since=today&until=7d', 'until', 'The start date is after the end date.'],
  ['longer=10', 'longer', `“10” ${noDuration}`],
  ['shorter=0s', 'shorter', `“0s” ${noDuration}`],
  ['shorter=-5m', 'shorter', `“-5m” ${noDuration}`],
  ['longer=9999h', 'longer', 'A duration must be at most a year.'],
  ['longer=10m&shorter=5m', 'shorter', '“Longer than” must be less than “Shorter than”.'],
  [`text=${'x'.repeat(201)}`, 'text', 'The text can have at most 200 characters.'],
])('a fault in the address: %s', (query, name, message) => {
  const { conditions, faults } = read(`${query}&author=ann`)
  expect(faults).toEqual({ [name]: message })
  expect(conditions).toMatchObject({ author: 'ann' })
  expect(conditions).not.toHaveProperty(name)
})

test.each([
  [{}, true],
  [{ branch: 'main', event: 'promote', status: 'failure', author: 'ann', text: 'discount' }, true],
  [{ branch: 'mai' }, false],
  [{ event: 'tag' }, false],
  [{ status: 'success' }, false],
  [{ author: 'an' }, false],
  [{ text: '#12' }, true],
  [{ text: '66c7' }, true],
  [{ text: 'nothing' }, false],
  [{ environment: 'staging' }, true],
  [{ environment: 'stag' }, false],
  [{ since: now - 700, until: now - 699 }, true],
  [{ since: now - 699 }, false],
  [{ until: now - 700 }, false],
  [{ longer: 599, shorter: 601 }, true],
  [{ longer: 600 }, false],
  [{ shorter: 600 }, false],
] as const)('%j', (conditions, found) => {
  expect(matchesFilter(build, conditions, now)).toBe(found)
})

test('only a build that ran has a duration, and a running one is never too short', () => {
  const some = { longer: 1 }
  const running = { ...build, status: 'running', finished: 0 } as Build
  expect([matchesFilter(running, { longer: 659 }, now), matchesFilter(running, { longer: 660 }, now)]).toEqual([
    true,
    false,
  ])
  expect(matchesFilter(running, { shorter: 9999 }, now)).toBe(false)
  expect(matchesFilter({ ...build, status: 'skipped', finished: build.started }, { shorter: 10 }, now)).toBe(false)
  expect(matchesFilter({ ...build, status: 'declined', finished: 0 }, some, now)).toBe(false)
  expect(matchesFilter({ ...build, status: 'pending', started: 0, finished: 0 }, some, now)).toBe(false)
})
