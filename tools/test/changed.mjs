// What `npm test -- changed` runs: the unit tests nearest to the files that differ from what is
// published, in their rooms, and the browser tests nearest to them.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../lib/project.mjs'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const lines = (text) => text.split('\n').filter(Boolean)

/**
 * The commit that a change is measured from: where this branch left `origin/main`, else the last
 * commit.
 */
function base() {
  try {
    return git('merge-base', 'HEAD', 'origin/main').trim()
  } catch {
    return 'HEAD'
  }
}

/** Files that the change touches and that still exist; without any, those of the last commit. */
export function changedFiles(from = base()) {
  const differ = (rev) => lines(git('diff', '--name-only', '--diff-filter=d', rev))
  const files = [...differ(from), ...lines(git('ls-files', '--others', '--exclude-standard'))]
  return files.length > 0 ? files : differ('HEAD~1')
}

/**
 * The browser tests closest to each folder; the first match wins. Everything else is left to the
 * full run, since every browser test covers most of the product. The test beside this file reports
 * screen folders without a row.
 */
const nearest = [
  [/^e2e\/.*\.e2e\.ts$/, (file) => [file]],
  [/^web\/src\/features\/(account|search)\//, ['e2e/screens/search-account.e2e.ts']],
  [/^web\/src\/features\/audit\//, ['e2e/screens/audit.e2e.ts']],
  [/^web\/src\/features\/build-page\/changed\//, ['e2e/screens/changed.e2e.ts']],
  [/^web\/src\/features\/(build-page\/source-file|log\/file-links)\//, ['e2e/screens/source-file.e2e.ts']],
  [
    /^web\/src\/features\/(build-page|dialogs)\//,
    ['e2e/screens/build-actions.e2e.ts', 'e2e/screens/waiting-stages.e2e.ts'],
  ],
  [/^web\/src\/features\/commit\//, ['e2e/screens/commit.e2e.ts']],
  [/^web\/src\/features\/dashboard\//, ['e2e/screens/dashboard.e2e.ts']],
  [/^web\/src\/features\/(events|repository)\//, ['e2e/screens/repository.e2e.ts']],
  [/^web\/src\/features\/(feed|common)\//, ['e2e/screens/frame.e2e.ts']],
  [/^web\/src\/features\/filters\//, ['e2e/screens/builds-page.e2e.ts']],
  [/^web\/src\/features\/graph\//, ['e2e/screens/graph.e2e.ts']],
  [/^web\/src\/features\/history\//, ['e2e/screens/history.e2e.ts']],
  [/^web\/src\/features\/log\//, ['e2e/screens/console.e2e.ts']],
  [/^web\/src\/features\/runners\//, ['e2e/screens/runners.e2e.ts']],
  [/^web\/src\/features\/settings\//, ['e2e/screens/settings.e2e.ts']],
  [/^web\/src\/features\/times\//, ['e2e/screens/times.e2e.ts']],
  [/^web\/src\/features\/timeline\//, ['e2e/screens/timeline.e2e.ts']],
  [/^web\/src\/features\/users\//, ['e2e/screens/users.e2e.ts']],
  [/^web\/src\/features\/wall\//, ['e2e/screens/wall.e2e.ts']],
  [/^web\/src\/features\/welcome\//, ['e2e/screens/sign-in.e2e.ts']],
  [/^web\/src\/app\//, ['e2e/screens/live.e2e.ts']],
  [/^web\/src\//, ['e2e/journeys/start-command.e2e.ts', 'e2e/screens/frame.e2e.ts']],
  [/^server\/src\//, ['e2e/journeys/approval.e2e.ts']],
]

/** The browser tests closest to these files. */
export function browserTestsFor(files) {
  const found = files.flatMap((file) => {
    const patterns = nearest.find(([pattern]) => pattern.test(file))?.[1] ?? []
    return typeof patterns === 'function' ? patterns(file) : patterns
  })
  return [...new Set(found)]
}

const isTest = (name) => /\.test\.(ts|tsx|mjs)$/.test(name)
const isCode = (file) => /^(api|cause|web|server|tools|bench|e2e\/support)\/.*\.(ts|tsx|mjs)$/.test(file)

/**
 * The room of a source file: in the page its whole feature, elsewhere its folder without the
 * folders in it. Where a folder has no tests, the nearest folder above that has some.
 */
function testsOfRoom(file) {
  const feature = /^web\/src\/features\/[^/]+/.exec(file)?.[0]
  let folder = feature ?? dirname(file)
  while (folder !== '.') {
    // What all rooms of the server share is in its library.
    if (folder === 'server/src') folder = 'server/src/lib'
    const names = existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: feature === folder })
      : []
    const tests = names.map(String).filter((name) => isTest(name) && !name.includes('.system.'))
    if (tests.length > 0) return tests.map((name) => `${folder}/${name}`)
    folder = folder === 'server/src/lib' ? 'server' : dirname(folder)
  }
  return []
}

/**
 * Tests in other rooms that compare a page of the docs, or what one is made from, with the code.
 */
const ofDocs = [
  [/\.md$/, ['tools/docs.test.mjs']],
  [
    /^(docs\/api\/|docs\/roles\.md$|api\/src\/)/,
    ['endpoints', 'roles', 'schemas'].map((name) => `server/src/conformance/${name}-page.test.ts`),
  ],
]

/** How near a test is to a file: it is named after it, it imports it, or it is only in its room. */
function distanceOf(test, file) {
  const stem = basename(file).replace(/\.\w+$/, '')
  if (test === file || basename(test).startsWith(`${stem}.`)) return 0
  return readFileSync(join(root, test), 'utf8').includes(`/${stem}.`) ? 1 : 2
}

/**
 * The unit tests in the rooms of these files, the nearest first, without the system tests. A system
 * test that changed itself runs, too.
 */
export function unitTestsFor(files) {
  const distances = new Map()
  const add = (test, distance) => distances.set(test, Math.min(distance, distances.get(test) ?? distance))
  for (const file of files.filter(isCode))
    for (const test of file.includes('.system.test.') ? [file] : testsOfRoom(file)) add(test, distanceOf(test, file))
  for (const [pattern, tests] of ofDocs)
    if (files.some((file) => pattern.test(file))) for (const test of tests) add(test, 1)
  return [...distances].toSorted(([, a], [, b]) => a - b).map(([test]) => test)
}

/** As many test files as run in less than half a minute on two cores, in the slowest room. */
const maxUnitFiles = { near: 24, inPage: 60 }
/** A browser test file takes ten seconds. */
const maxBrowserFiles = 2

/** The first tests, by their own limits: those of the page have no server and no Git. */
function nearestOf(tests) {
  const room = { server: maxUnitFiles.near, page: maxUnitFiles.inPage }
  return tests.filter((test) => (/^(web|cause|api)\//.test(test) ? room.page-- : room.server--) > 0)
}

const linted = (file) => /\.(ts|tsx|mts|mjs)$/.test(file)

/**
 * What `npm test -- changed` runs for these files: the names of the parts, the arguments of those
 * that run a part of their tests, and for the reader what it leaves out.
 */
export function planOf(files) {
  const [allUnit, allBrowser] = [unitTestsFor(files), browserTestsFor(files)]
  const unit = nearestOf(allUnit)
  const browser = allBrowser.slice(0, maxBrowserFiles)
  const lint = files.filter(linted)
  const left = [...allUnit.filter((test) => !unit.includes(test)), ...allBrowser.slice(maxBrowserFiles)]
  return {
    parts: [
      'types',
      ...(lint.length > 0 ? ['lint'] : []),
      'format',
      'readme',
      ...(unit.length > 0 ? ['unit'] : []),
      ...(browser.length > 0 ? ['build', 'budget', 'browser'] : []),
    ],
    unit,
    browser,
    lint,
    notRun: [
      ...(left.length > 0 ? [`${left.length} test files in the same folders: ${left.join(' ')}`] : []),
      'lint of unchanged files, unused exports, and all tests of other folders',
    ],
  }
}
