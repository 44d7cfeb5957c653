// The parts of `npm test`, in the order in which they run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkBudget } from '../budget.mjs'
import { build } from '../lib/parts.mjs'
import { program, root, run } from '../lib/project.mjs'
import { checkNames, writeTable } from '../spec-table.mjs'
import { readPlaywright, readVitest, specsToTrace, withReport, withTraces } from './reports.mjs'

/** A check that is one thing: passed or not. */
const countsOf = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 })
const command = async (name, args, { write }) => countsOf((await run(program(name), args, { write })).status === 0)
const exists = (path) => existsSync(join(root, path))
const script = async (name, args, { write }) =>
  countsOf((await run(process.execPath, [join(root, 'tools', name), ...args], { write })).status === 0)
const sum = (results) => ({
  passed: results.reduce((n, result) => n + result.passed, 0),
  failed: results.reduce((n, result) => n + result.failed, 0),
})

/** A runner that takes longer hangs, also on a busy machine. */
const timeoutMs = 25 * 60_000

/** Runs the browser tests; reads their report. */
const playwright = (chromiumPath, args) =>
  withReport('playwright', async (file) => {
    const options = ['test', '--config', 'e2e/playwright.config.ts', '--pass-with-no-tests', ...args]
    const env = { FLIGHTDECK_CHROMIUM: chromiumPath, FLIGHTDECK_REPORT: file }
    return readPlaywright(file, await run(program('playwright'), options, { env, limit: timeoutMs }))
  })

/** Chromium is located (and downloaded if needed) while the other parts run. */
let chromium

/** The checks of the whole project; each takes seconds and at most one core for most of them. */
const projectChecks = ['check-imports.mjs', 'check-patterns.mjs', 'check-effects.mjs', 'check-words.mjs']

/**
 * `concurrent` parts start together, before the others, and leave no core idle; `tools/test.mjs`
 * shows their output one after the other. `run` gets the arguments for its runner and
 * `{ tests, all, write, files }`: what ran before, whether it is the whole run, where output goes,
 * and with `changed` the files to lint.
 */
export const parts = [
  {
    name: 'types',
    what: 'TypeScript, strict',
    concurrent: true,
    run: (_args, context) => command('tsc', ['--noEmit', '-p', 'tsconfig.json'], context),
  },
  {
    name: 'lint',
    what: 'oxlint with types, who may import whom, patterns in linear time, how many effects, what nobody uses',
    concurrent: true,
    run: async (_args, context) =>
      sum(
        await Promise.all([
          command('oxlint', ['--type-aware', '--deny-warnings', ...(context.files ?? [])], context),
          ...projectChecks.map((name) => script(name, [], context)),
          // It reads the whole project, which takes longer than all other checks of a small change.
          ...(context.files ? [] : [command('knip', [], context)]),
        ]),
      ),
  },
  {
    name: 'format',
    what: 'oxfmt',
    concurrent: true,
    run: (_args, context) => command('oxfmt', ['--check', '.'], context),
  },
  {
    name: 'readme',
    what: "the README's option table is the server's",
    concurrent: true,
    run: (_args, context) => script('readme.mjs', ['--check'], context),
  },
  {
    name: 'build',
    what: 'web/dist and server/dist',
    concurrent: true,
    run: (_args, context) => script('build.mjs', ['--stale'], context),
  },
  {
    name: 'budget',
    what: 'first load of the dashboard over the wire',
    run: async () => countsOf(!exists('tools/build-web.mjs') || checkBudget()),
  },
  {
    name: 'unit',
    what: 'logic and server (Vitest)',
    run: (args) =>
      withReport('vitest', async (file) => {
        const reporters = ['--reporter=dot', `--reporter=${join(root, 'tools/test/vitest-reporter.mjs')}`]
        const options = { env: { FLIGHTDECK_REPORT: file }, limit: timeoutMs }
        return readVitest(file, await run(program('vitest'), ['run', ...reporters, ...args], options))
      }),
  },
  {
    name: 'browser',
    what: 'the product in Chromium (Playwright)',
    prepare: ({ isWhole }) => {
      // Fetching the shell is worth it for many tests only.
      const options = isWhole ? ['--shell'] : []
      chromium = run(process.execPath, [join(root, 'tools/chromium.mjs'), ...options], { quiet: true })
    },
    run: async (args) => {
      const found = await chromium
      if (found.status !== 0) {
        console.log(found.stderr)
        return countsOf(false)
      }
      if (!exists('server/dist/main.js') && build().length > 0) return countsOf(false)
      const chromiumPath = found.stdout.trim()
      const result = await playwright(chromiumPath, args)
      const specs = specsToTrace(result.tests)
      if (specs.length === 0) return result
      console.log(`\n${specs.length} failed tests again, with a trace:`)
      const options = ['--trace', 'on', '--output', 'test-results/traces', '--workers=1']
      const traced = await playwright(chromiumPath, [...specs, ...options])
      return { ...result, tests: withTraces(result.tests, traced.tests) }
    },
  },
  {
    name: 'specification',
    what: 'every sentence has a test; with --all, one that passed (docs/specification-tests.md)',
    // Meaningless after a part of the tests only.
    whole: true,
    run: async (_args, { tests, all }) => countsOf(all ? writeTable(tests) : checkNames()),
  },
]
