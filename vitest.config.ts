import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files with a process of their own: system tests, and those that mock a module or act as another
 * account.
 */
const alone = [
  '{server,web,api,cause,bench,tools,e2e}/**/*.system.test.{ts,tsx,mjs}',
  'server/src/docker/*.test.ts',
  'server/src/http/routes/late-frames.test.ts',
  'server/src/runner/{runner,workspace}.test.ts',
  'server/src/runner/{disk,processes}/*.test.ts',
]

/**
 * The quick tier leaves the system tests to `npm test -- --all` (tools/test.mjs); Vitest by hand
 * runs any file, and `changed` a system test that changed itself.
 */
const tier = process.env['FLIGHTDECK_TIER'] ?? 'all'
const skipped = tier === 'quick' ? ['**/*.system.test.*'] : []
/** A single system test among quick ones says so at the end of its title. */
const onlyQuick = tier !== 'all' && { testNamePattern: /^(?!.*@system\b)/ }

/** As they run: a process is kept as long as the next file is of the same project. */
const order = ['alone', 'server', 'web']

/**
 * The long files first, so that none is left over at the end: those that ask for more time than
 * others, then by size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      2 * order.indexOf(project.name) + (readFileSync(moduleId, 'utf8').includes('testTimeout') ? 0 : 1)
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const shared = {
  ...onlyQuick,
  exclude: ['**/node_modules/**', '**/dist/**', ...skipped],
  environment: 'node',
  // A test that takes longer hangs, also on a machine that is ten times slower.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // As for the browser tests. By default it is a second, which a busy machine may take.
  expect: { poll: { timeout: 15_000 } },
  // Git as on a machine where nobody ever set it up, but able to commit.
  env: {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada Tester',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada Tester',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  },
}

/**
 * One after the other in the same few processes: most of what a small file costs is to load the
 * server anew.
 */
const together = (name: string, folders: string) => ({
  test: {
    ...shared,
    name,
    include: [`{${folders}}/**/*.test.{ts,tsx,mjs}`],
    exclude: [...shared.exclude, ...alone],
    isolate: false,
  },
})

export default defineConfig({
  test: {
    globalSetup: 'server/src/testing/bundles.ts',
    passWithNoTests: true,
    ...onlyQuick,
    // Two more than there are cores (the default is one less): most of the long files wait for
    // processes of theirs.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'alone', include: alone } },
      // The server's listener puts classes of its own in place of Node's `Request` and `Response`.
      together('server', 'server,bench,tools,e2e'),
      together('web', 'web,api,cause'),
    ],
  },
})
