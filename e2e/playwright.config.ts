import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const executablePath = process.env['FLIGHTDECK_CHROMIUM'] ?? '/usr/bin/chromium'
/**
 * Chromium uses only the last list of disabled features, so this one repeats Playwright's own.
 * The last three are ours: each new window of the full browser loads the address bar's popup as two
 * pages of their own, which costs more than the page under test; and the process that waits for a
 * next page would nearly always be thrown away with the test.
 */
const without = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]
/**
 * A name of this machine that is not a secure place by itself (screens/plain-http.system.e2e.ts).
 */
export const plainName = 'flightdeck.test'
const report = process.env['FLIGHTDECK_REPORT']
/**
 * `FLIGHTDECK_THROUGH=gateway npm test -- browser`: all tests on a real server, each through a
 * gateway in front of it.
 */
const through = process.env['FLIGHTDECK_THROUGH'] === 'gateway'
/**
 * The quick tier leaves the system tests to `npm test -- --all` (tools/test.mjs); Playwright by
 * hand runs any file. `changed` runs the files of a room whole.
 */
const tier = process.env['FLIGHTDECK_TIER'] ?? 'all'
const quick = tier === 'quick'
const systemTests = '**/*.system.e2e.ts'
/** At the end of the title of a single test that the quick tier leaves out, too. */
const systemTag = /@system\b/
/** Waits for a build of half a minute: started last, it would run alone at the end. */
const slowTests = 'journeys/sample-pipeline.e2e.ts'
const direct = [
  { name: 'longest', testMatch: slowTests },
  { name: 'direct', testIgnore: [slowTests, ...(quick ? [systemTests] : [])] },
]
const gateway = {
  name: 'gateway',
  testDir: './journeys',
  use: { through: true },
  ...(!through && { grep: /@gateway/ }),
}
const projects = [...(through ? [] : direct), ...(through || tier === 'all' ? [gateway] : [])]

/**
 * The browser is a Chromium, the headless shell if there is one (tools/chromium.mjs);
 * `npm test -- browser` passes its path.
 */
export default defineConfig<{ through: boolean }>({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // A run empties it first. `npm test` names the screenshot of a failed test, and its trace in
  // `test-results/traces`.
  outputDir: join(import.meta.dirname, '../test-results/browser'),
  fullyParallel: true,
  // One more than there are cores: a test waits for its browser and its server half of the time.
  workers: Math.min(availableParallelism() + 1, 8),
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  globalTimeout: 25 * 60_000,
  expect: { timeout: 15_000 },
  projects,
  ...(quick && { grepInvert: systemTag }),
  reporter: report ? [['line'], ['json', { outputFile: report }]] : [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // A trace of every test takes a third of the run: `npm test` runs what failed again with one
    // (tools/test/parts.mjs).
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      // Root, and containers without user namespaces, cannot have Chromium's sandbox; the pages are
      // our own.
      args: [
        '--no-sandbox',
        // There is no GPU, and emulating one takes more processor time than drawing without.
        '--disable-gpu',
        // One process less to pass pictures to.
        '--in-process-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--host-resolver-rules=MAP ${plainName} 127.0.0.1`,
        `--disable-features=${without.join()}`,
      ],
    },
  },
})
