// Reads the reports of the two test runners: counts, and each test's title, result and duration.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Gives `use` the name of a file for a report, and removes it afterwards. */
export async function withReport(name, use) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-report-'))
  try {
    return await use(join(folder, `${name}.json`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A runner that failed without naming a test counts as one failure; so does one without a report. */
function toResult(tests, status) {
  const failed = tests.filter((test) => !test.ok && !test.skipped).length
  const passed = tests.filter((test) => test.ok).length
  return { tests, passed, failed: failed === 0 && status !== 0 ? 1 : failed }
}

/** What a test that failed says, as far as a summary has room for it. */
const firstLines = (message) =>
  stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter(Boolean)
    .slice(0, 8)
    .join('\n')

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

export function readVitest(file, { status }) {
  const files = read(file)?.testResults ?? []
  const tests = files.flatMap((entry) =>
    entry.assertionResults.map((test) => ({
      title: test.fullName,
      ms: test.duration ?? 0,
      ok: test.status === 'passed',
      skipped: test.status !== 'passed' && test.status !== 'failed',
      why: firstLines(test.failureMessages?.[0]),
    })),
  )
  return toResult(tests, status)
}

export function readPlaywright(file, { status }) {
  const tests = (read(file)?.suites ?? []).flatMap((suite) => specsOf(suite, []))
  return toResult(tests, status)
}

function specsOf(suite, before) {
  const path = [...before, suite.title]
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      title: [...path, spec.title].join(' › '),
      ms: test.results.reduce((sum, result) => sum + result.duration, 0),
      ok: test.status === 'expected',
      skipped: test.status === 'skipped',
      why: firstLines(test.results.find((result) => result.error)?.error.message),
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => specsOf(inner, path))]
}
