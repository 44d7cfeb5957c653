import { expect, test } from 'vitest'

import { totalWords, withCounts } from './count-words.ts'

const total = (count: number, capped = false) =>
  totalWords({ total: count, capped, statuses: {}, events: {} }, ['build', 'builds'])

test('the total has its noun, and a plus where older builds were not counted', () => {
  expect([0, 1, 128].map((count) => total(count))).toEqual(['0 builds', '1 build', '128 builds'])
  expect([1, 10_000].map((count) => total(count, true))).toEqual(['1+ builds', '10\u2009000+ builds'])
  expect(total(0, true)).toBe('')
})

const options = [
  { value: '', label: 'Any event' },
  { value: 'push', label: 'push' },
  { value: 'pull_request', label: 'pull request' },
  { value: 'cron', label: 'cron' },
]
const labels = (chosen: string, capped = false) =>
  withCounts(options, chosen, { push: 2, pull_request: 10_000 }, capped).map(({ label }) => label)

test('each option except the selected one has its count', () => {
  expect(labels('')).toEqual(['Any event', 'push (2)', 'pull request (10\u2009000)', 'cron (0)'])
  expect(labels('push')).toEqual(['Any event (10\u2009002)', 'push', 'pull request (10\u2009000)', 'cron (0)'])
})

test('no count is 0 if older builds were not counted', () => {
  expect(labels('push', true)).toEqual(['Any event (10\u2009002+)', 'push', 'pull request (10\u2009000+)', 'cron'])
})
