// `npm test`: each part with its heading, duration and counts; the last line adds them up.
//   npm test                       the quick tier: all parts, without the system tests
//   npm test -- --all              the system tests too: start-up, isolation, event loop, load, killed servers, full disks, the whole tour
//   npm test -- lint unit          these parts only
//   npm test -- browser login      a word that is not a part's name goes to the runner: a file or a title
//   npm test -- changed            the rooms that the current change touches, in less than a minute
import { checkNode, install } from './lib/project.mjs'
import { browserTestsFor, changedFiles, unitTestsFor } from './test/changed.mjs'
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
// A file or title that is named runs in whichever tier it is.
process.env.FLIGHTDECK_TIER = all || (rest.length > 0 && !changed) ? 'all' : 'quick'
/** The parts that check a change, each with the arguments of its runner. */
const ofChange = changed ? partsOfChange(changed) : {}
const selected = parts.filter((part) => {
  if (changed) return part.name in ofChange
  return words.length === 0 ? true : chosen.includes(part.name) || (chosen.length === 0 && !part.whole)
})

function partsOfChange(files) {
  const [unit, browser] = [unitTestsFor(files), browserTestsFor(files)]
  return {
    types: [],
    lint: [],
    format: [],
    readme: [],
    ...(unit.length > 0 && { unit }),
    ...(browser.length > 0 && { build: [], browser }),
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
for (const part of selected) part.prepare?.()

const began = Date.now()
const total = { passed: 0, failed: 0 }
const summary = []
const tests = []
for (const part of selected) {
  console.log(`\n━━ ${part.name}: ${part.what}`)
  const start = Date.now()
  const result = await part.run(ofChange[part.name] ?? rest, { tests, all })
  const line = `${part.name}: ${result.passed} passed, ${result.failed} failed in ${seconds(Date.now() - start)}`
  console.log(`━━ ${line}`)
  total.passed += result.passed
  total.failed += result.failed
  summary.push(`  ${result.failed > 0 ? '✗' : '✓'} ${line}`)
  tests.push(...(result.tests ?? []))
}

console.log(`\n━━ all parts in ${seconds(Date.now() - began)}`)
console.log(summary.join('\n'))
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
