// `npm run bench`: measures every row of the browser table on the real server with generated data,
// and writes README.md.
//   npm run bench                 the browser table
//   npm run bench -- server       the server table
//   npm run bench -- builds       the cost of a build and of a push
//   npm run bench -- drone        events of a real Drone server (FLIGHTDECK_DRONE: its path) and of
//                                 the gateway in front of it
//   npm run bench -- growth       the cost of each call as the data grows
//                                 (growth builds --most 1000000: a smaller part)
//   npm run bench -- log-1m live  only these measures (names as in README.md)
//   npm run bench -- --runs 1 …   fewer runs than five, for a quick look
import { parseArgs } from 'node:util'
import { browserMeasures } from './browser/index.mjs'
import { filled } from './fill/fill.mjs'
import { startBrowser } from './lib/chrome.mjs'
import { product } from './lib/product-copy.mjs'
import { keepResults, targetText, verdictOf, writeReadme } from './lib/readme.mjs'
import { signIn, startServer } from './lib/server.mjs'
import { summary } from './lib/stats.mjs'
import { buildMeasures } from './server/builds.mjs'
import { runGrowth } from './server/growth/run.mjs'
import { droneMeasures } from './server/events.mjs'
import { serverMeasures } from './server/index.mjs'

/** The growth table, which has a different format. */
async function growth(names) {
  await runGrowth(product(), names, values.most ? Number(values.most) : undefined)
  process.exit()
}

const groups = { browser: browserMeasures, server: serverMeasures, builds: buildMeasures, drone: droneMeasures }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string' }, most: { type: 'string' } },
})
if (positionals[0] === 'growth') await growth(positionals.slice(1))
const named = Object.keys(groups).filter((group) => positionals.includes(group))
const words = positionals.filter((word) => !(word in groups))

const chosen = Object.entries(groups).flatMap(([group, measures]) =>
  measures
    .filter(({ name }) =>
      words.length > 0 ? words.includes(name) : named.length > 0 ? named.includes(group) : group === 'browser',
    )
    .map((measure) => ({ group, measure })),
)

const columns = (rows) =>
  Object.fromEntries(Object.keys(rows[0] ?? {}).map((key) => [key, rows.map((row) => row[key])]))

/** Runs one measure as often as it requires; prints and saves the results. */
async function take({ group, measure }, tools) {
  const runs = values.runs ? Number(values.runs) : (measure.runs ?? 5)
  console.log(`\n${measure.name}`)
  const prepared = await measure.prepare?.(tools)
  const results = []
  for (let i = 0; i < runs; i++) results.push(await measure.once(tools, prepared))
  await measure.finish?.(prepared)
  const found = columns(results)
  const summaries = {}
  for (const [key, work, unit, target] of measure.rows) {
    const figures = summary(found[key] ?? [Number.NaN])
    summaries[key] = figures
    const verdict = verdictOf(figures.median, target)
    const range = `(${figures.min.toPrecision(3)} … ${figures.max.toPrecision(3)})`
    console.log(
      `  ${verdict.padEnd(6)} ${figures.median.toPrecision(3)} ${range} of ${targetText(target, unit)}  ${work}`,
    )
  }
  if (values.runs) return
  // Saved immediately, so that an interrupted run keeps its results.
  keepResults(group, measure.name, summaries)
  writeReadme(group, groups[group])
}

const program = product()
const needsBrowser = chosen.some(({ group }) => group === 'browser')
const browser = needsBrowser ? await startBrowser() : undefined
let failures = 0

async function measureAll(measures, tools) {
  for (const measure of measures) {
    try {
      await take(measure, { browser, program, ...tools })
    } catch (error) {
      failures++
      console.log(`  FAILED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
}

for (const size of ['small', 'big']) {
  const measures = chosen.filter(({ measure }) => measure.size === size)
  if (measures.length === 0) continue
  const folders = await filled(size)
  const server = await startServer(program, folders)
  try {
    await measureAll(measures, {
      person: { origin: server.origin, cookie: await signIn(server.origin) },
      server,
      folders,
    })
  } finally {
    await server.stop()
  }
}
// These start their own servers.
await measureAll(chosen.filter(({ measure }) => measure.size === 'none'))
await browser?.close()
for (const [group, measures] of Object.entries(groups)) writeReadme(group, measures)
process.exitCode = failures > 0 ? 1 : 0
