// Random small faults, on demand: changes one operator at a time in a folder and checks whether the
// type check or the nearest unit tests (those of `npm test -- changed`) detect it.
//   node tools/mutate-random.mjs server/src/source          ten faults in this folder
//   N=30 SEED=7 node tools/mutate-random.mjs web/src/features/users
// BROWSER=1 also runs the browser tests nearest to the file, which needs a Chromium in
// FLIGHTDECK_CHROMIUM and builds the page for each fault. The tool writes each fault to the file
// and restores it afterwards; the files must have no uncommitted changes.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program, root, run } from './lib/project.mjs'
import { faultsIn, pick } from './mutation/faults.mjs'
import { planOf } from './test/changed.mjs'

const [room] = process.argv.slice(2)
if (!room) throw new Error('Name a folder, such as server/src/source.')
if (execFileSync('git', ['status', '--porcelain', '--', room], { cwd: root, encoding: 'utf8' }) !== '')
  throw new Error(`${room} has changes that are not committed.`)

const isSource = (name) =>
  /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name) && !/(^|\/)(testing\/|test-)/.test(name)
const files = readdirSync(join(root, room), { recursive: true }).map(String).filter(isSource)
const faults = files.flatMap((name) => {
  const file = join(room, name)
  return faultsIn(file, readFileSync(join(root, file), 'utf8')).map((fault) => ({ file, ...fault }))
})

/** Whether a check fails, which means that it detects the fault. */
const fails = async (name, args, env = {}) => (await run(program(name), args, { quiet: true, env })).status !== 0

const typesFail = () => fails('tsc', ['--noEmit', '-p', 'tsconfig.json'])
const unitFails = async ({ unit }) => unit.length > 0 && (await fails('vitest', ['run', '--bail=1', ...unit]))

/** The check that detects the fault in this file: `types`, `unit` or `browser`. */
async function noticedBy(file) {
  const plan = planOf([file])
  if (await typesFail()) return 'types'
  if (await unitFails(plan)) return 'unit'
  const browser = process.env.BROWSER ? plan.browser : []
  if (browser.length === 0) return undefined
  if ((await run(process.execPath, [join(root, 'tools/build.mjs')], { quiet: true })).status !== 0) return 'browser'
  const options = ['test', '--config', 'e2e/playwright.config.ts', '--max-failures=1', ...browser]
  return (await fails('playwright', options)) ? 'browser' : undefined
}

// Otherwise every fault would seem to be detected.
if (await typesFail()) throw new Error('The types of the unchanged project are wrong: run npm test -- types.')
/** By file: whether its nearest unit tests fail even without a fault. */
const unsound = new Map()

let restore = () => {}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    restore()
    process.exit(130)
  })
const chosen = pick(faults, Number(process.env.N ?? 10), Number(process.env.SEED ?? Date.now() % 100_000))
let noticed = 0
for (const { file, line, from, to, changed } of chosen) {
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  restore = () => writeFileSync(path, source)
  writeFileSync(path, changed)
  let by
  try {
    by = await noticedBy(file)
  } finally {
    restore()
  }
  if (by === 'unit' && !unsound.has(file)) unsound.set(file, await unitFails(planOf([file])))
  if (by === 'unit' && unsound.get(file)) by = 'nothing: its unit tests fail without the fault, too'
  noticed += by && !by.startsWith('nothing') ? 1 : 0
  console.log(`${by ? `noticed by ${by}:` : 'LIVED'} ${file}:${line} ${from} → ${to}`)
}
console.log(`${noticed} of ${chosen.length} noticed (${faults.length} faults possible)`)
