import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../lib/project.mjs'
import { browserTestsFor, sourcesIn } from './changed.mjs'

test('every feature has browser tests of its own beside it, and they exist', () => {
  const general = browserTestsFor(['web/src/lib/any.ts'])
  for (const feature of readdirSync(join(root, 'web/src/features'))) {
    const found = browserTestsFor([`web/src/features/${feature}/index.ts`])
    expect(found, `tools/test/changed.mjs has no row for web/src/features/${feature}`).not.toEqual(general)
    for (const file of found) expect(existsSync(join(root, file)), file).toBe(true)
  }
})

test('a changed browser test is run itself, and a page of the docs needs none', () => {
  expect(browserTestsFor(['e2e/screens/log.e2e.ts', 'docs/roles.md'])).toEqual(['e2e/screens/log.e2e.ts'])
})

test('only code is handed to Vitest', () => {
  expect(sourcesIn(['README.md', 'server/src/main.ts', 'web/index.html', 'tools/lib/stale.mjs'])).toEqual([
    'server/src/main.ts',
    'tools/lib/stale.mjs',
  ])
})
