import type { StepHistory } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { shortWords } from './words.ts'

/** Noon, so that it is the same day in every time zone. */
const now = Date.UTC(2026, 10, 22, 12) / 1000
const since = Date.UTC(2026, 10, 2, 12) / 1000
const seen: StepHistory['seen'] = { times: 14, repos: 3, since, places: [] }
const mixed = (count: number) => Array.from({ length: count }, (_, i) => ({ commit: `c${i}`, failed: i, passed: i }))

it('shows how often, where and since when', () => {
  expect(shortWords({ seen }, now)).toEqual(['Seen 14 times in 3 repositories since Nov 2'])
  const before = { ...seen, repos: 1, since: Date.UTC(2025, 5, 1, 12) / 1000 }
  expect(shortWords({ seen: before }, now)).toEqual(['Seen 14 times since Jun 1, 2025'])
  expect(shortWords({ seen: { ...seen, times: 1_000, more: true } }, now)[0]).toMatch(/^Seen 1000\+ times/)
})

it('calls a step flaky if three or more commits both failed and passed, with the numbers', () => {
  const runs = { count: 20, failed: 4, mixed: mixed(3) }
  expect(shortWords({ runs }, now)).toEqual(['Flaky: failed in 4 of 20 runs, 3 commits also passed'])
  expect(shortWords({ runs: { ...runs, mixed: mixed(2) } }, now)).toEqual(['Failed in 4 of the last 20 runs'])
})

it('shows that it always fails and on which branch, and nothing for a first failure', () => {
  expect(shortWords({ runs: { branch: 'main', count: 5, failed: 5, mixed: [] } }, now)).toEqual([
    'Failed in all of the last 5 runs on main',
  ])
  expect(shortWords({ runs: { count: 20, failed: 1, mixed: [] } }, now)).toEqual([])
  expect(shortWords({}, now)).toEqual([])
})
