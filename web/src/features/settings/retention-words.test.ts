import type { Retention } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { lastText, limitChoices, plannedTexts } from './retention-words.ts'

const none = { build_days: 0, builds: 0, log_days: 0, log_mb: 0 }
const unset = { build_days: -1, builds: -1, log_days: -1, log_mb: -1 }
const retention = (over: Partial<Retention> = {}): Retention => ({
  own: unset,
  defaults: none,
  next: 99,
  planned: { old_builds: 0, surplus_builds: 0, old_logs: 0 },
  last: null,
  ...over,
})

test('without a limit nothing is removed', () => {
  expect(plannedTexts(retention({ next: 0 }))).toEqual(['No limit is set: nothing is removed.'])
  expect(plannedTexts(retention())).toEqual(['Nothing will be removed tonight.'])
})

test('each limit says what it removes', () => {
  const own = { build_days: 90, builds: 10_000, log_days: 1, log_mb: 1_000 }
  const planned = { old_builds: 12, surplus_builds: 1, old_logs: 3 }
  expect(plannedTexts(retention({ own, planned }))).toEqual([
    '12 builds older than 90 days will be removed tonight.',
    '1 build beyond the newest 10\u2009000 will be removed tonight.',
    'The logs of 3 builds older than 1 day will be removed tonight.',
    'If the logs take more than 1 GB tonight, the oldest will be removed.',
  ])
})

test('the server’s default applies if the repository has no setting', () => {
  const planned = { old_builds: 2, surplus_builds: 0, old_logs: 0 }
  expect(plannedTexts(retention({ defaults: { ...none, build_days: 30 }, planned }))).toEqual([
    '2 builds older than 30 days will be removed tonight.',
  ])
})

test('the choices include the default, no limit and a value set by another client', () => {
  const own = { ...unset, log_mb: 250 }
  const choices = limitChoices('log_mb', { own, defaults: { ...none, log_mb: 5_000 } })
  expect(choices.map(({ label }) => label)).toEqual([
    'Server default (5 GB)',
    'No limit',
    '100 MB',
    '250 MB',
    '500 MB',
    '1 GB',
    '5 GB',
    '10 GB',
    '50 GB',
  ])
  expect(limitChoices('builds', retention())[0]).toEqual({ value: '-1', label: 'Server default (no limit)' })
})

test('removed builds are listed with the freed space, and the reason if it stopped', () => {
  const last = { at: 1, builds: 2, logs: 1, bytes: 1_500, error: '' }
  expect(lastText(last)).toBe('2 builds and 1 log were removed, 1.5 KB of logs freed.')
  expect(lastText({ ...last, builds: 0, logs: 0 })).toBe('nothing was removed.')
  expect(lastText({ ...last, error: 'disk full' })).toContain('It stopped early and will be retried tonight: disk full')
})
