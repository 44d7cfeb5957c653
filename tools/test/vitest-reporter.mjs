// A reporter for Vitest: writes each test's title, result, duration and place as JSON to
// FLIGHTDECK_REPORT. Vitest's own JSON report has only the stack of an error, which for a timeout
// is `STACK_TRACE_ERROR` without the message.
import { relative } from 'node:path'
import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../lib/project.mjs'

const frame = /\(?((?:file:\/\/)?\/[^\s():]+):(\d+):\d+\)?/

/**
 * `file:line` of the innermost frame that is in this project; without one, `fallback`.
 * @param {{ stack?: string }} error as Vitest serializes it
 */
export function placeOf(error, fallback) {
  for (const line of (error.stack ?? '').split('\n')) {
    const [, path, number] = frame.exec(line) ?? []
    const file = path?.replace('file://', '')
    if (file?.startsWith(`${root}/`) && !file.includes('/node_modules/')) return `${relative(root, file)}:${number}`
  }
  return fallback
}

/** What is wrong, with the difference if the error has one. */
const messageOf = (error) =>
  stripVTControlCharacters(
    [`${error.name ?? 'Error'}: ${error.message ?? error}`, error.diff].filter(Boolean).join('\n'),
  )

const failureOf = (errors, fallback) =>
  errors?.[0] && { place: placeOf(errors[0], fallback), message: messageOf(errors[0]) }

function entryOf(test, file) {
  const { state, errors } = test.result()
  return {
    title: test.fullName,
    state,
    ms: test.diagnostic()?.duration ?? 0,
    failure: failureOf(errors, test.location ? `${file}:${test.location.line}` : file),
  }
}

/** Errors outside a test: in an import, a hook, or an unhandled rejection. */
const outside = (title, file, errors) =>
  errors.length > 0 ? [{ title, state: 'failed', ms: 0, failure: failureOf(errors, file) }] : []

/** An error in a hook is reported for its suite only. */
function entriesOf(module) {
  const file = relative(root, module.moduleId)
  const suites = [...module.children.allSuites()]
  return [
    ...outside(file, file, module.errors()),
    ...suites.flatMap((suite) => outside(suite.fullName, file, suite.errors())),
    ...[...module.children.allTests()].map((test) => entryOf(test, file)),
  ]
}

export default class JsonReporter {
  onTestRunEnd(modules, unhandled) {
    const tests = [
      ...modules.flatMap((module) => entriesOf(module)),
      ...unhandled.flatMap((error) => outside('an error outside every test', 'unknown', [error])),
    ]
    writeFileSync(process.env.FLIGHTDECK_REPORT, JSON.stringify({ tests }))
  }
}
