// `npm test`: each part with its heading, duration and counts; the last line adds them up.
//   npm test                       the quick tier: all parts, without the system tests
//   npm test -- --all              the system tests too: start-up, isolation, load, the tour
//   npm test -- lint unit          these parts only
//   npm test -- browser login      any other word selects a test file or title
//   npm test -- changed            the tests nearest to the current change
import { checkNode, install } from './lib/project.mjs'
import { changedFiles, planOf } from './test/changed.mjs'
import { parts } from './test/parts.mjs'
import { failureLines } from './test/reports.mjs'

checkNode()
process.env.CI ??= 'true'
process.env.NO_COLOR ??= '1'
install()

const all = process.argv.includes('--all')
const words = process.argv.slice(2).filter((word) => word !== '--all')
const changed = words.includes('changed') ? changedFiles() : undefined
const known = new Set(parts.map((part) => part.name))
const chosen = words.filter((word) => known.has(word))
const rest = words.filter((word) => !known.has(word))
// A file or title that is named runs in whichever tier it is; `changed` names files, and runs their
// browser tests of both tiers.
const isNamed = rest.length > 0 && !changed
process.env.FLIGHTDECK_TIER = all || isNamed ? 'all' : changed ? 'changed' : 'quick'
/** With `changed`: what is run for the change, and what of its neighbourhood is not. */
const plan = changed && planOf(changed)
const selected = parts.filter((part) => {
  if (plan) return plan.parts.includes(part.name)
  return words.length === 0 ? true : chosen.includes(part.name) || (chosen.length === 0 && !part.whole)
})

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
for (const part of selected) part.prepare?.({ isWhole: words.length === 0 })

const began = Date.now()
const total = { passed: 0, failed: 0 }
const summary = []
const tests = []

/** Runs a part; what it prints goes to `write`. Resolves with its counts and duration. */
async function runPart(part, write) {
  const start = Date.now()
  const result = await part.run(plan?.[part.name] ?? rest, { tests, all, write, files: plan?.lint })
  return { ...result, ms: Date.now() - start }
}

/** Starts a part; its output is kept for later. */
function startPart(part) {
  let output = ''
  const ended = runPart(part, (text) => (output += text))
  return async () => {
    const result = await ended
    process.stdout.write(output)
    return result
  }
}

const started = new Map(selected.filter((part) => part.concurrent).map((part) => [part, startPart(part)]))
for (const part of selected) {
  console.log(`\n━━ ${part.name}: ${part.what}`)
  const result = await (started.get(part)?.() ?? runPart(part, (text) => process.stdout.write(text)))
  const line = `${part.name}: ${result.passed} passed, ${result.failed} failed in ${seconds(result.ms)}`
  console.log(`━━ ${line}`)
  total.passed += result.passed
  total.failed += result.failed
  summary.push(`  ${result.failed > 0 ? '✗' : '✓'} ${line}`)
  tests.push(...(result.tests ?? []))
}

console.log(`\n━━ all parts in ${seconds(Date.now() - began)}`)
console.log(summary.join('\n'))
if (plan) console.log(`not run (npm test runs it):\n${plan.notRun.map((line) => `  ${line}`).join('\n')}`)
const slow = tests.filter((test) => test.ms > 5000)
if (slow.length > 0) console.log('slow tests:')
for (const test of slow.toSorted((a, b) => b.ms - a.ms).slice(0, 10))
  console.log(`  ${seconds(test.ms)}  ${test.title}`)
// Repeated at the end, because often only the end of a long output is kept.
const failed = tests.filter((test) => !test.ok && !test.skipped)
if (failed.length > 0) console.log('failed tests:')
for (const test of failed.slice(0, 20)) console.log(failureLines(test))
if (failed.length > 20) console.log(`  … and ${failed.length - 20} more`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
