// `npm test`: everything that is checked, each part with its heading, duration and counts; the last line adds them up.
//   npm test                       all parts, in order
//   npm test -- lint unit          these parts only
//   npm test -- browser login      what is no part's name is handed to the runner (a file or a title)
//   npm test -- changed            what the change at hand can break soonest: a minute, not a proof
import { checkNode, install } from './lib/project.mjs'
import { browserTestsFor, changedFiles, sourcesIn } from './test/changed.mjs'
import { parts } from './test/parts.mjs'

checkNode()
process.env.CI ??= 'true'
process.env.NO_COLOR ??= '1'
install()

const words = process.argv.slice(2)
const changed = words.includes('changed') ? changedFiles() : undefined
const known = new Set(parts.map((part) => part.name))
const chosen = words.filter((word) => known.has(word))
/** The parts that a change is put through, each with what its runner is handed. */
const ofChange = changed ? partsOfChange(changed) : {}
const rest = words.filter((word) => !known.has(word))
const selected = parts.filter((part) => {
  if (changed) return part.name in ofChange
  return words.length === 0 ? true : chosen.includes(part.name) || (chosen.length === 0 && !part.whole)
})

function partsOfChange(files) {
  const [unit, browser] = [sourcesIn(files), browserTestsFor(files)]
  return {
    types: [],
    lint: [],
    format: [],
    readme: [],
    ...(unit.length > 0 && { unit: ['related', ...unit] }),
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
  const result = await part.run(ofChange[part.name] ?? rest, tests)
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
// Once more at the end: of a long output often nothing else is kept.
const failed = tests.filter((test) => !test.ok && !test.skipped)
if (failed.length > 0) console.log('failed tests:')
for (const test of failed.slice(0, 10)) console.log(`  ${test.title}\n${test.why.replaceAll(/^/gm, '    ')}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
