import { defineConfig } from '@playwright/test'

import base from './playwright.config.ts'

/** `node tools/screenshots.mjs`: no tests, but pictures of the running product (pictures/save-picture.ts). */
export default defineConfig({
  ...base,
  testMatch: '**/*.shots.ts',
  // The tests' own parts name test files, and would run some of them beside the pictures.
  projects: [{ name: 'pictures' }],
  workers: 1,
  timeout: 8 * 60_000,
  reporter: [['list']],
  use: { ...base.use, actionTimeout: 5000 },
})
