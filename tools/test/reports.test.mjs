import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program, root } from '../lib/project.mjs'
import { failureLines, readPlaywright, readVitest, specsToTrace, withTraces } from './reports.mjs'

let folder
beforeEach(() => {
  // In the project, because only places in it are shown.
  mkdirSync(join(root, 'test-results'), { recursive: true })
  folder = mkdtempSync(join(root, 'test-results/reports-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a failed unit test, one that times out and one that does not load are shown with place and message', () => {
  const [file, broken, report] = ['a.test.mjs', 'b.test.mjs', 'report.json'].map((name) => join(folder, name))
  const code = [
    "import { expect, it } from 'vitest'",
    "it('adds', () => {",
    '  expect(1 + 1).toBe(3)',
    '})',
    "it('waits for what never comes', () => new Promise(() => {}), 20)",
    "it('passes', () => {})",
    "it.skip('is left out', () => {})",
  ]
  writeFileSync(file, code.join('\n'))
  writeFileSync(broken, "throw new Error('no such thing')")
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
  const args = ['run', '--root', folder, `--reporter=${join(root, 'tools/test/vitest-reporter.mjs')}`]
  const { status } = spawnSync(program('vitest'), args, {
    cwd: folder,
    env: { ...process.env, FLIGHTDECK_REPORT: report },
  })
  const { tests, passed, failed } = readVitest(report, { status })
  expect([status, passed, failed]).toEqual([1, 1, 3])
  const place = file.slice(root.length + 1)
  const lines = tests.filter(({ ok, skipped }) => !ok && !skipped).map(failureLines)
  expect(lines.find((text) => text.includes('adds'))).toContain(`${place}:3\n    AssertionError: expected 2 to be 3`)
  const timeout = lines.find((text) => text.includes('never comes'))
  expect(timeout).toContain(`${place}:5\n    Error: Test timed out in 20ms`)
  expect(timeout).not.toContain('STACK_TRACE_ERROR')
  expect(lines.find((text) => text.includes('b.test.mjs'))).toContain('no such thing')
})

test('a failed browser test is shown with place, message and what is kept of it', () => {
  const report = join(folder, 'report.json')
  const error = {
    message: 'Error: \u001b[31mexpected\u001b[39m a heading',
    location: { file: join(root, 'e2e/a.e2e.ts'), line: 7 },
  }
  const attachments = [{ name: 'trace', path: join(root, 'test-results/a/trace.zip') }, { name: 'text' }]
  const specs = [
    {
      title: 'one',
      file: 'a.e2e.ts',
      line: 5,
      tests: [{ status: 'unexpected', results: [{ duration: 5, error, attachments }] }],
    },
    { title: 'two', file: 'a.e2e.ts', line: 9, tests: [{ status: 'expected', results: [{ duration: 5 }] }] },
  ]
  const suites = [{ title: 'a.e2e.ts', specs }]
  writeFileSync(
    report,
    JSON.stringify({ config: { rootDir: join(root, 'e2e') }, suites, errors: [{ message: 'does not load' }] }),
  )
  const { tests, passed, failed } = readPlaywright(report, { status: 1 })
  expect([passed, failed]).toEqual([1, 2])
  expect(tests.filter(({ ok }) => !ok).map(failureLines)).toEqual([
    '  a.e2e.ts › one\n    e2e/a.e2e.ts:7\n    Error: expected a heading\n    kept: test-results/a/trace.zip',
    '  an error outside every test\n    does not load',
  ])
})

test('what failed runs again with a trace, each place once and no more than asked for; the first result counts', () => {
  const failed = (title, spec) => ({ title, spec, ok: false, skipped: false, why: 'no heading', kept: ['shot.png'] })
  const tests = [
    failed('one', 'e2e/a.e2e.ts:5'),
    failed('its sibling', 'e2e/a.e2e.ts:5'),
    failed('two', 'e2e/a.e2e.ts:9'),
    failed('three', 'e2e/b.e2e.ts:1'),
    { title: 'passes', spec: 'e2e/c.e2e.ts:1', ok: true, skipped: false, why: '' },
    { title: 'is left out', spec: 'e2e/c.e2e.ts:5', ok: false, skipped: true, why: '' },
    { title: 'an error outside every test', ok: false, skipped: false, why: 'does not load' },
  ]
  expect(specsToTrace(tests, 2)).toEqual(['e2e/a.e2e.ts:5', 'e2e/a.e2e.ts:9'])
  expect(specsToTrace(tests.slice(4))).toEqual([])
  const again = [
    { title: 'one', ok: false, kept: ['one/trace.zip'] },
    { title: 'two', ok: true, kept: ['two/trace.zip'] },
    { title: 'passes', ok: true, kept: ['passes/trace.zip'] },
  ]
  const shown = withTraces(tests, again)
  expect(shown[0]).toMatchObject({ ok: false, kept: ['shot.png', 'one/trace.zip'] })
  expect(shown[0].why).toContain('failed again with a trace')
  expect(shown[2]).toMatchObject({ ok: false, kept: ['shot.png', 'two/trace.zip'] })
  expect(shown[2].why).toContain('passed when it ran again')
  expect(shown.slice(3)).toEqual(tests.slice(3))
})

test('a runner that ends without a report counts as one failure', () => {
  expect(readVitest(join(folder, 'none.json'), { status: 1 })).toEqual({ tests: [], passed: 0, failed: 1 })
})
