import { defineConfig } from '@playwright/test'

import base from './playwright.config.ts'

/**
 * `node tools/screenshots.mjs`: takes screenshots of the running product instead of testing it
 * (pictures/save-picture.ts).
 */
export default defineConfig({
  ...base,
  testMatch: '**/*.shots.ts',
  // The projects of the tests name test files, and would run some of them as well.
  projects: [{ name: 'pictures' }],
  workers: 1,
  timeout: 8 * 60_000,
  reporter: [['list']],
  use: { ...base.use, actionTimeout: 5000 },
})
