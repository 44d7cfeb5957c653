import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{api,server,web,bench,tools,e2e}/**/*.test.{ts,tsx,mjs}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    globalSetup: 'server/src/testing/pipeline-worker.ts',
    passWithNoTests: true,
    testTimeout: 20_000,
    hookTimeout: 20_000,
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
