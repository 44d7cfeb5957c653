/**
 * Takes a screenshot of each screen in states that are rare in the running product (empty, failed,
 * loading, waiting) in light and dark, at 1440, 768 and 390 px (save-picture.ts writes the files).
 */
import type { Browser } from '@playwright/test'
import { Host } from '../support/host.ts'
import { data, expect, ok, test } from '../support/screens.ts'
import { savePicture } from './save-picture.ts'
import { rerunStates } from './states/rerun.ts'
import { brokenStates } from './states/failed-test.ts'
import { buildStates } from './states/build.ts'
import { listStates } from './states/lists.ts'
import { logStates } from './states/log.ts'
import { signedOutStates } from './states/signed-out.ts'
import { settingsStates } from './states/settings.ts'
import type { State } from './states/state.ts'
import { timesStates } from './states/times.ts'

const states: State[] = [
  ...brokenStates,
  ...rerunStates,
  ...timesStates,
  ...listStates,
  ...buildStates,
  ...logStates,
  ...settingsStates,
  ...signedOutStates,
]

async function play(browser: Browser, state: State, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const host = await new Host().listen()
  host
    .on('GET /api/user', ok(data.user()))
    .on('GET /api/user/repos', ok([]))
    .on('GET /api/user/builds/recent', ok([]))
    .on('POST /api/user/token', ok({ ...data.user(), token: 'gAmnoF3bVcFkgRBKKbwmMaHrAeaPvhMS' }))
  state.play(host)
  const viewport = { width, height: width === 390 ? 844 : 900 }
  // A separate context, because a second page in it encodes the picture.
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  try {
    await page.goto(host.origin + state.path)
    await expect(page.locator('main')).toBeVisible()
    await page.waitForTimeout(500)
    // A control that does not exist at this width must not prevent the other screenshots.
    await state
      .act?.(page, host)
      .catch((error: unknown) => console.log(`${state.name} at ${width}: ${String(error).split('\n')[0]}`))
    await page.waitForTimeout(500)
    await savePicture(page, `states/${state.name}-${colorScheme}-${width}.png`)
  } finally {
    await context.close()
    await host.close()
  }
}

/** `ONLY=cause node tools/screenshots.mjs`: a single state. */
const only = process.env['ONLY']

const chosen = states.filter(({ name }) => !only || name === only)

test('states', async ({ browser }) => {
  test.skip(chosen.length === 0, `ONLY=${only} is none of these states`)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 768, 390])
      for (const state of chosen)
        await test.step(`${state.name} ${colorScheme} ${width}`, () => play(browser, state, colorScheme, width))
})
