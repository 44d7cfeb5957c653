// Mutation tests, on demand: inserts small faults into the code and checks whether a test near it
// detects them.
//   node tools/mutate.mjs                                all areas, one after the other
//   node tools/mutate.mjs guards                         one area
//   node tools/mutate.mjs server/src/pipeline/skip.ts    one file, with the tests of its area
//   node tools/mutate.mjs FILE… FILE.test.ts…            these files or patterns, with these tests
//   EVERY=5 node tools/mutate.mjs builds                 a sample: every fifth fault
// Stryker is not a dependency of the project: the first run downloads it into a cache. The tests
// run in Stryker's own processes (mutation/runner.mjs).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { root } from './lib/project.mjs'
import { report } from './mutation/report.mjs'

/** The newest major version that runs on Node 20. */
const version = '9.6.1'
const cache = join(root, 'node_modules/.cache/mutation')

/** The code to mutate, and the tests near it, which must detect the faults. */
export const areas = {
  pipeline: { code: ['server/src/pipeline/**/*.ts'], tests: ['server/src/pipeline/**/*.test.ts'] },
  builds: {
    code: ['server/src/builds/**/*.ts'],
    // Without tests that start servers or measure time.
    tests: ['server/src/builds/**/!(*.system).test.ts'],
    slowest: 2000,
  },
  guards: {
    code: ['server/src/http/{authenticate,guards,security,sign-in}.ts'],
    tests: ['server/src/http/{guards,security,sign-in}.test.ts'],
  },
  live: { code: ['web/src/app/live/*.ts'], tests: ['web/src/app/live/*.test.ts'] },
  log: {
    code: ['web/src/features/log/engine/**/!(*worker|plain).ts'],
    // Slow tests would take minutes with mutations.
    tests: ['web/src/features/log/engine/!(plain).test.ts', 'web/src/features/log/engine/ansi/!(*.system).test.ts'],
  },
}

/** Tries only every `EVERY`th fault. */
const every = Number(process.env.EVERY ?? 1)

const npm = (...args) => spawnSync('npm', args, { cwd: cache, stdio: ['ignore', 2, 2] })

function install() {
  if (existsSync(join(cache, 'node_modules/.bin/stryker'))) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  npm('install', '--no-audit', '--no-fund', '--loglevel=error', `@stryker-mutator/core@${version}`)
}

/** The source files that match the patterns. */
const filesOf = (patterns) =>
  ['server', 'web']
    .flatMap((part) =>
      readdirSync(join(root, part, 'src'), { recursive: true }).map((file) => `${part}/src/${String(file)}`),
    )
    .filter((file) => patterns.some((pattern) => matchesGlob(file, pattern)))

function mutate({ code, tests, slowest = 400 }) {
  const config = {
    packageManager: 'npm',
    plugins: [join(root, 'tools/mutation/runner.mjs')],
    testRunner: 'in-process',
    mutate: [...code, '!**/*.test.*', '!**/test-*', '!**/*.d.ts'],
    // A fault in code that runs once when a file is loaded would need all tests again.
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.WORKERS ?? 1),
    timeoutMS: Number(process.env.TIMEOUT ?? 15_000),
    tempDirName: '.mutation',
    ignorePatterns: ['docs', 'bench', '**/dist'],
    reporters: ['progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: join(cache, 'report.html') },
    jsonReporter: { fileName: join(cache, 'report.json') },
    // Disabled: it needs parts of TypeScript that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    allowConsoleColors: false,
  }
  const file = join(cache, 'stryker.config.json')
  writeFileSync(file, JSON.stringify(config))
  // Databases and repositories of tests are in memory, because syncing to disk takes most of their
  // time.
  const TMPDIR = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'flightdeck-mutation-'))
  const env = { SLOWEST: String(slowest), ...process.env, TMPDIR, FLIGHTDECK_TESTS: filesOf(tests).join(' ') }
  const { status } = spawnSync(join(cache, 'node_modules/.bin/stryker'), ['run', file], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  rmSync(TMPDIR, { recursive: true, force: true })
  if (status === 0) report(config.jsonReporter.fileName, every)
  return status ?? 1
}

/** The area that a file belongs to. */
function areaOf(file) {
  const area = Object.values(areas).find(({ code }) => code.some((pattern) => matchesGlob(file, pattern)))
  if (!area) throw new Error(`${file} is in none of the areas ${Object.keys(areas).join(', ')}`)
  return area
}

/**
 * What the command line selects: areas by name, and all files together, with the tests of their
 * area unless tests are named.
 */
function chosen(words) {
  const tests = words.filter((word) => word.includes('.test.'))
  const code = words.filter((word) => !(word in areas) && !tests.includes(word))
  const named = words.filter((word) => word in areas).map((word) => areas[word])
  if (code.length > 0) named.push({ ...areaOf(code[0]), code, ...(tests.length > 0 && { tests }) })
  return named.length > 0 ? named : Object.values(areas)
}

install()
process.exitCode = Math.max(...chosen(process.argv.slice(2)).map(mutate))
