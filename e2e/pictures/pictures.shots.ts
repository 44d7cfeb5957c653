/**
 * Takes a screenshot of each screen in light and dark, at 1440, 768 and 390 px (save-picture.ts
 * writes the files).
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'

import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { savePicture } from './save-picture.ts'
import { fill, makeRepositories } from './world.ts'

const widths = [1440, 768, 390]
const themes = ['light', 'dark'] as const

interface Screen {
  name: string
  path: string
  /** Actions on the screen before the screenshot. */
  act?: (page: Page) => Promise<void>
  signedOut?: boolean
}

const graph = async (page: Page) => {
  await page.getByText('Graph View').first().click()
  await expect(page.getByText('Log View').first()).toBeVisible()
}
const logView = (page: Page) => page.getByText('Log View').first().click()

/** The commit hash differs in every run. */
const newestCommit = async (page: Page) => {
  await page.goto('/acme/website/2')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^[0-9a-f]{8}$/ })
    .first()
    .click()
  await expect(page.getByText(/files? changed/)).toBeVisible()
}

const screens: Screen[] = [
  { name: 'welcome', path: '/welcome', signedOut: true },
  { name: 'login', path: '/login/form', signedOut: true },
  { name: 'login-token', path: '/login/token', signedOut: true },
  { name: 'register', path: '/register' },
  { name: 'login-error', path: '/login/error', signedOut: true },
  { name: 'logout', path: '/logout', signedOut: true },
  { name: 'invite', path: '/login/invite#no-such-invitation', signedOut: true },
  {
    name: 'dashboard',
    path: '/',
    // Stars, strips and the order load at the first input.
    act: async (page) => {
      await page.mouse.move(5, 5)
      await expect(page.getByLabel('Sort by')).toBeVisible()
    },
  },
  {
    name: 'search',
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByPlaceholder('Search repositories, branches and builds').fill('acme/')
    },
  },
  { name: 'feed', path: '/builds-feed' },
  { name: 'wall', path: '/wall' },
  {
    name: 'wall-choose',
    path: '/wall?repos=acme/website,space/rotor',
    act: (page) => page.getByRole('button', { name: 'Choose repositories' }).click(),
  },
  { name: 'builds', path: '/acme/website' },
  { name: 'new-build', path: '/acme/website', act: (page) => page.getByRole('button', { name: 'New Build' }).click() },
  { name: 'branches', path: '/acme/website/branches' },
  { name: 'deployments', path: '/acme/website/deployments' },
  { name: 'deployments-empty', path: '/acme/docs/deployments' },
  { name: 'pulls-empty', path: '/acme/docs/pulls' },
  { name: 'inactive', path: '/acme/attic/settings' },
  { name: 'build-log', path: '/space/rotor/1/1/3', act: logView },
  { name: 'build-failed', path: '/acme/website/2/2/2', act: logView },
  { name: 'build-graph', path: '/acme/website/3', act: graph },
  { name: 'times', path: '/acme/website/times' },
  { name: 'branch', path: '/acme/website/branches/main' },
  { name: 'commit', path: '/acme/website/commits/newest', act: newestCommit },
  { name: 'settings', path: '/acme/website/settings' },
  { name: 'secrets', path: '/acme/website/settings/secrets' },
  { name: 'org-secrets', path: '/acme/website/settings/organization' },
  { name: 'cron', path: '/acme/website/settings/cron' },
  { name: 'badges', path: '/acme/website/settings/badges' },
  { name: 'access', path: '/acme/website/settings/access' },
  { name: 'users', path: '/settings/users' },
  { name: 'runners', path: '/settings/runners' },
  { name: 'audit', path: '/settings/audit' },
  { name: 'account', path: '/account' },
  { name: 'not-found', path: '/nowhere' },
]

/** `ONLY=times node tools/screenshots.mjs`: a single screen. */
const only = process.env['ONLY']
const chosen = screens.filter(({ name }) => !only || name === only)

test('pictures', async ({ browser, folder, start }) => {
  test.skip(chosen.length === 0, `ONLY=${only} is none of these screens`)
  const repos = join(folder, 'repos')
  const repositories = await makeRepositories(repos)
  const server = await start({ repos })
  const signedIn = await browser.newContext({ baseURL: server.origin })
  await signIn(await signedIn.newPage(), server.origin)
  await fill(signedIn.request, server.origin, repositories)
  const storageState = await signedIn.storageState()

  for (const colorScheme of themes) {
    for (const width of widths) {
      const viewport = { width, height: width === 390 ? 844 : 900 }
      const out = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce', baseURL: server.origin })
      const inside = await browser.newContext({
        colorScheme,
        viewport,
        storageState,
        reducedMotion: 'reduce',
        baseURL: server.origin,
      })
      for (const screen of chosen) {
        const page = await (screen.signedOut ? out : inside).newPage()
        await test.step(`${screen.name} ${colorScheme} ${width}`, () => shoot(page, screen, colorScheme, width))
        await page.close()
      }
      await out.close()
      await inside.close()
    }
  }
})

async function shoot(page: Page, screen: Screen, theme: string, width: number): Promise<void> {
  await page.goto(screen.path)
  await expect(page.locator('main')).toBeVisible()
  await page.waitForLoadState('load')
  await expect(page.getByRole('heading').first()).toBeVisible()
  // A control that does not exist at this width must not prevent the other screenshots.
  await screen
    .act?.(page)
    .catch((error: unknown) => console.log(`${screen.name} at ${width}: ${String(error).split('\n')[0]}`))
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await savePicture(page, `${screen.name}-${theme}-${width}.png`)
}
