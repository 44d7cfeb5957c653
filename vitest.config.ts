import { defineConfig } from 'vitest/config'

/** Only these: what `tools/mutate.mjs` runs again and again, on whatever the machine has left. */
const chosen = process.env['FLIGHTDECK_TESTS']?.split(' ')
const patience = chosen ? 120_000 : 20_000

export default defineConfig({
  test: {
    include: chosen ?? ['{api,server,web,bench,tools,e2e}/**/*.test.{ts,tsx,mjs}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    globalSetup: 'server/src/testing/pipeline-worker.ts',
    passWithNoTests: true,
    testTimeout: patience,
    hookTimeout: patience,
    // Git as on a machine where nobody ever set it up, but able to commit.
    env: {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'Ada Tester',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada Tester',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  },
})
