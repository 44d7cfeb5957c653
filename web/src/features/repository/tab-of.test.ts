import { expect, test } from 'vitest'

import { tabOf } from './tab-of.ts'

test.each([
  ['/acme/web', 'builds'],
  ['/acme/web/17', 'builds'],
  ['/acme/web/branches', 'branches'],
  ['/acme/web/settings/cron', 'settings'],
])('%s belongs to %s', (path, tab) => {
  expect(tabOf(path)).toBe(tab)
})
