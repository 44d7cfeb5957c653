import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { countLoaded } from './count-loaded.ts'
import type { Conditions } from './filter.ts'
import { matchesFilter } from './matches-filter.ts'

const builds = [
  { status: 'failure', event: 'push', created: 1, ref: '' },
  { status: 'failure', event: 'cron', created: 1, ref: '' },
  { status: 'success', event: 'push', created: 1, ref: '' },
] as Build[]
const counts = (conditions: Conditions) =>
  countLoaded(
    builds,
    (build) => build,
    (build, some) => matchesFilter(build, some, 0),
    conditions,
  )

test('each menu is counted by the other conditions, the total by all', () => {
  expect(counts({})).toEqual({
    total: 3,
    capped: false,
    statuses: { failure: 2, success: 1 },
    events: { push: 2, cron: 1 },
  })
  expect(counts({ status: 'failure' })).toMatchObject({
    total: 2,
    statuses: { failure: 2, success: 1 },
    events: { push: 1, cron: 1 },
  })
  expect(counts({ status: 'success', event: 'cron' })).toMatchObject({
    total: 0,
    statuses: { failure: 1 },
    events: { push: 1 },
  })
})
