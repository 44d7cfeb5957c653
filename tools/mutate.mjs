// Mutation tests, on demand: puts small faults into the code and asks whether a test near it notices.
//   node tools/mutate.mjs                                all areas, one after the other
//   node tools/mutate.mjs guards                         one area
//   node tools/mutate.mjs server/src/pipeline/skip.ts    one file, with the tests of its area
//   node tools/mutate.mjs FILE FILE.test.ts              one file, with these tests
// Stryker is no dependency of the project: it is fetched into a cache when it is first asked for. The tests run in its own
// processes (mutation/runner.mjs).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { root } from './lib/project.mjs'

/** The newest major that runs on Node 20. */
const version = '9.6.1'
const cache = join(root, 'node_modules/.cache/mutation')

/** What is changed, and the tests that have to notice it: those near it, not whatever passes through. */
export const areas = {
  pipeline: { code: ['server/src/pipeline/**/*.ts'], tests: ['server/src/pipeline/**/*.test.ts'] },
  builds: {
    code: ['server/src/builds/*.ts'],
    tests: ['server/src/builds/*.test.ts', 'server/src/http/routes/*.test.ts'],
  },
  guards: {
    code: ['server/src/http/{authenticate,guards,security,sign-in}.ts'],
    tests: ['server/src/http/{guards,security,sign-in}.test.ts'],
  },
  live: { code: ['web/src/app/live/*.ts'], tests: ['web/src/app/live/*.test.ts'] },
  log: {
    code: ['web/src/features/log/engine/**/!(*worker|plain).ts'],
    // What takes long by itself would take minutes with faults in it.
    tests: ['web/src/features/log/engine/!(plain).test.ts', 'web/src/features/log/engine/ansi/!(fuzz).test.ts'],
  },
}

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

function mutate({ code, tests }) {
  const config = {
    packageManager: 'npm',
    plugins: [join(root, 'tools/mutation/runner.mjs')],
    testRunner: 'in-process',
    mutate: [...code, '!**/*.test.*', '!**/test-*', '!**/*.d.ts'],
    // A fault in what is computed once when a file is loaded would need all tests again for each.
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: Number(process.env.TIMEOUT ?? 15_000),
    tempDirName: '.mutation',
    ignorePatterns: ['docs', 'bench', '**/dist'],
    reporters: ['clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: join(cache, 'report.html') },
    jsonReporter: { fileName: join(cache, 'report.json') },
    // Not to be looked at: what it wants of TypeScript, TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    allowConsoleColors: false,
  }
  const file = join(cache, 'stryker.config.json')
  writeFileSync(file, JSON.stringify(config))
  const env = { ...process.env, FLIGHTDECK_TESTS: filesOf(tests).join(' ') }
  return (
    spawnSync(join(cache, 'node_modules/.bin/stryker'), ['run', file], { cwd: root, env, stdio: 'inherit' }).status ?? 1
  )
}

/** An area by its name, or files, with their area's tests if none are named. */
function areaOf(word, tests) {
  if (word in areas) return areas[word]
  const area = Object.values(areas).find(({ code }) => code.some((pattern) => matchesGlob(word, pattern)))
  if (!area && tests.length === 0) throw new Error(`${word} is in none of the areas ${Object.keys(areas).join(', ')}`)
  return { code: [word], tests: tests.length > 0 ? tests : area.tests }
}

install()
const isTest = (word) => word.includes('.test.')
const words = process.argv.slice(2)
const named = words.filter((word) => !isTest(word)).map((word) => areaOf(word, words.filter(isTest)))
const chosen = named.length > 0 ? named : Object.values(areas)
process.exitCode = Math.max(...chosen.map(mutate))
