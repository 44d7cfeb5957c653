// Reads the reports of the two test runners: counts, and each test's title, result and duration.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../lib/project.mjs'

/** Gives `use` the name of a file for a report, and removes it afterwards. */
export async function withReport(name, use) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-report-'))
  try {
    return await use(join(folder, `${name}.json`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A runner that failed without naming a test counts as one failure; so does one without a report.
 */
function toResult(tests, status) {
  const failed = tests.filter((test) => !test.ok && !test.skipped).length
  const passed = tests.filter((test) => test.ok).length
  return { tests, passed, failed: failed === 0 && status !== 0 ? 1 : failed }
}

/** As much of a failure as a summary has room for. */
const firstLines = (message) =>
  stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter(Boolean)
    .slice(0, 12)
    .join('\n')

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** From the report of vitest-reporter.mjs. */
export function readVitest(file, { status }) {
  const tests = (read(file)?.tests ?? []).map(({ title, ms, state, failure }) => ({
    title,
    ms,
    ok: state === 'passed',
    skipped: state !== 'passed' && state !== 'failed',
    place: failure?.place,
    why: firstLines(failure?.message),
  }))
  return toResult(tests, status)
}

/** From Playwright's JSON report. */
export function readPlaywright(file, { status }) {
  const report = read(file)
  const folder = report?.config?.rootDir ?? ''
  const tests = (report?.suites ?? []).flatMap((suite) => specsOf(suite, [], folder))
  // What failed outside a test, such as a file that does not load.
  for (const error of report?.errors ?? [])
    tests.push({ title: 'an error outside every test', ms: 0, ok: false, skipped: false, ...failureOf({ error }) })
  return toResult(tests, status)
}

function specsOf(suite, before, folder) {
  const path = [...before, suite.title]
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      title: [...path, spec.title].join(' › '),
      ms: test.results.reduce((sum, result) => sum + result.duration, 0),
      ok: test.status === 'expected',
      skipped: test.status === 'skipped',
      spec: `${relative(root, join(folder, spec.file))}:${spec.line}`,
      ...failureOf(
        test.results.find((result) => result.error) ?? test.results[0],
        `${relative(root, join(folder, spec.file))}:${spec.line}`,
      ),
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => specsOf(inner, path, folder))]
}

/**
 * Place, message and kept files of a result of Playwright. A test that passed has files only where
 * it was traced.
 */
function failureOf(result, fallback) {
  const { location, message } = result?.error ?? {}
  return {
    place: location ? `${relative(root, location.file)}:${location.line}` : fallback,
    why: firstLines(message),
    kept: (result?.attachments ?? []).flatMap(({ path }) => (path ? [relative(root, path)] : [])),
  }
}

/**
 * The places of failed browser tests (`file:line`), for a second run with a trace: of the first
 * few, each once.
 */
export function specsToTrace(tests, max = 5) {
  const failed = tests.filter(({ ok, skipped, spec }) => !ok && !skipped && spec)
  return [...new Set(failed.map(({ spec }) => spec))].slice(0, max)
}

/**
 * The failed tests with the files that their second run kept, and how it ended. The first result
 * counts.
 */
export function withTraces(tests, traced) {
  return tests.map((test) => {
    const again = test.ok ? undefined : traced.find(({ title }) => title === test.title)
    if (!again) return test
    const how = again.ok ? 'passed when it ran again with a trace' : 'failed again with a trace'
    return { ...test, kept: [...(test.kept ?? []), ...(again.kept ?? [])], why: `${test.why}\n${how}` }
  })
}

/**
 * A failed test as the summary shows it: title, file:line, message, and the trace and screenshot
 * that are kept.
 */
export function failureLines({ title, place, why, kept = [] }) {
  const lines = [...(place ? [place] : []), ...why.split('\n'), ...kept.map((path) => `kept: ${path}`)]
  return [`  ${title}`, ...lines.filter(Boolean).map((line) => `    ${line}`)].join('\n')
}
