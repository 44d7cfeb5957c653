import { expect, test } from 'vitest'

import { readFeedFilter } from './feed-filter.ts'

test('an unknown choice shows all builds', () => {
  expect(['mine', 'waiting', 'x', null].map(readFeedFilter)).toEqual(['mine', 'waiting', 'all', 'all'])
})
