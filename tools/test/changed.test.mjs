import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../lib/project.mjs'
import { browserTestsFor, planOf, unitTestsFor } from './changed.mjs'

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

test('a change runs the unit tests of its room, and no system test but one that changed itself', () => {
  const room = unitTestsFor(['server/src/builds/event-bus.ts'])
  expect(room).toContain('server/src/builds/event-bus.test.ts')
  expect(room.filter((file) => !/^server\/src\/builds\/[^/]+\.test\.ts$/.test(file))).toEqual([])
  expect(room.filter((file) => file.includes('.system.'))).toEqual([])
  expect(unitTestsFor(['server/src/builds/event-loop.system.test.ts'])).toEqual([
    'server/src/builds/event-loop.system.test.ts',
  ])
})

test('the room of a page is its whole feature; of a folder without tests, the nearest one above', () => {
  const log = unitTestsFor(['web/src/features/log/window/rows.tsx'])
  expect(log).toContain('web/src/features/log/engine/new-lines.test.ts')
  expect(unitTestsFor(['server/src/interfaces/ci.ts'])).toContain('server/src/lib/event-loop.test.ts')
})

test('the tests named after a changed file come first, then those that import it', () => {
  const tests = unitTestsFor(['server/src/builds/event-bus.ts'])
  expect(tests[0]).toBe('server/src/builds/event-bus.test.ts')
  const imports = tests.map((file) => readFileSync(join(root, file), 'utf8').includes('/event-bus.'))
  expect(imports.lastIndexOf(true)).toBe(imports.filter(Boolean).length - 1)
})

test('a page of the docs is checked against what it points at and what it is made from', () => {
  expect(unitTestsFor(['README.md', 'web/index.html'])).toEqual(['tools/docs.test.mjs'])
  expect(unitTestsFor(['docs/roles.md'])).toContain('server/src/conformance/roles-page.test.ts')
  expect(unitTestsFor(['web/index.html'])).toEqual([])
})

test('a large room is cut off at its nearest tests, and the rest is named', () => {
  const files = ['server/src/http/routes/history.ts', 'web/src/features/log/index.ts']
  const { unit, notRun, lint } = planOf(files)
  expect(unit).toContain('server/src/http/routes/history.test.ts')
  expect(unit.filter((file) => file.startsWith('server/'))).toHaveLength(24)
  expect(lint).toEqual(files)
  for (const file of unitTestsFor(files)) expect(unit.includes(file) || notRun.join().includes(file), file).toBe(true)
})

test('a change of a page alone is neither linted nor seen in a browser', () => {
  expect(planOf(['docs/limits.md']).parts).toEqual(['types', 'format', 'readme', 'unit'])
})
