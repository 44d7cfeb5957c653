// Mutation tests, on demand: puts small faults into the code and asks whether a test near it notices.
//   node tools/mutate.mjs                                all areas, one after the other
//   node tools/mutate.mjs guards                         one area
//   node tools/mutate.mjs server/src/pipeline/skip.ts    one file, with the tests of its area
//   node tools/mutate.mjs FILE… FILE.test.ts…            these files, with these tests; patterns, too
//   EVERY=5 node tools/mutate.mjs builds                 a sample: each fifth fault
// Stryker is no dependency of the project: it is fetched into a cache when it is first asked for. The tests run in its own
// processes (mutation/runner.mjs).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { root } from './lib/project.mjs'
import { report } from './mutation/report.mjs'

/** The newest major that runs on Node 20. */
const version = '9.6.1'
const cache = join(root, 'node_modules/.cache/mutation')

/** The code to mutate, and the tests that must detect it: those near it, not all that reach it. */
export const areas = {
  pipeline: { code: ['server/src/pipeline/**/*.ts'], tests: ['server/src/pipeline/**/*.test.ts'] },
  builds: {
    code: ['server/src/builds/**/*.ts'],
    // Not those that start servers or measure time.
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

/** Only every so manyth fault is tried. */
const every = Number(process.env.EVERY ?? 1)

const npm = (...args) => spawnSync('npm', args, { cwd: cache, stdio: ['ignore', 2, 2] })

function install() {
  if (existsSync(join(cache, 'node_modules/.bin/stryker'))) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  npm('install', '--no-audit', '--no-fund', '--loglevel=error', `@stryker-mutator/core@${version}`)
}

/** The sources that a pattern means. */
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
    // A fault in what is computed once when a file is loaded would need all tests again for each.
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
  // Databases and repositories of tests: in memory, since syncing to disk takes most of their time.
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
 * What the words of the command line mean: areas by their names, and all files together, with their area's tests if none
 * are named.
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
