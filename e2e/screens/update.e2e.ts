import type { Page } from '@playwright/test'
import { data, expect, ok, signedInAs, test, withRepo } from '../support/screens.ts'

const fiveMinutes = 5 * 60_000
const newPage = '<!doctype html><script type="module" src="/assets/index-newer.js"></script>'

/** From now on the server has a new build; navigations still get the current one. */
const upgrade = (page: Page) =>
  page.route(
    (url) => url.pathname === '/',
    (route) =>
      route.request().isNavigationRequest()
        ? route.fallback()
        : route.fulfill({ contentType: 'text/html', body: newPage }),
  )

/** Opens the page and waits until it watches for updates. */
async function openOldPage(page: Page, go: (path: string) => Promise<void>, path: string): Promise<void> {
  await page.clock.install()
  await go(path)
  await watching(page)
}
/** The page watches for updates, and its document is marked. */
async function watching(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  const code = page.waitForResponse(/watch-for-update/)
  await page.clock.runFor(15_000)
  const url = (await code).url()
  // The response is not enough: the code has to have run.
  await page.evaluate((url) => import(url), url)
  // Marks the document; a reload removes the mark.
  await page.evaluate(() => Object.assign(globalThis, { isOld: true }))
}
const isOld = (page: Page) => page.evaluate(() => 'isOld' in globalThis)
/** Waits until the page has polled the server and had time to act. */
async function ask(page: Page): Promise<void> {
  const asked = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/' && !response.request().isNavigationRequest(),
  )
  await page.clock.runFor(fiveMinutes)
  await asked
}

test('an idle page reloads once when the server has a new version @system', async ({ page, host, go }) => {
  withRepo(host)
  await openOldPage(page, go, '/octocat/hello')
  await ask(page)
  expect(await isOld(page)).toBe(true)
  await upgrade(page)
  const loaded = page.waitForEvent('load')
  await ask(page)
  await page.clock.runFor(5_000).catch(() => undefined)
  await loaded
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  expect(await isOld(page)).toBe(false)
  // A cache in between can still return the old page, which does not reload again.
  await watching(page)
  await ask(page)
  await page.clock.runFor(fiveMinutes)
  expect(await isOld(page)).toBe(true)
})

test('a page with a form or an active user does not reload @system', async ({ page, host, go }) => {
  signedInAs(host, { admin: true })
  withRepo(host)
  host.on('GET /api/repos/octocat/hello/secrets', ok([data.secret()]))
  await openOldPage(page, go, '/octocat/hello/settings')
  await upgrade(page)
  await ask(page)
  await page.clock.runFor(fiveMinutes)
  expect(await isOld(page)).toBe(true)
  await page.getByRole('link', { name: 'Badges' }).click()
  await expect(page.getByText('CCMenu')).toBeVisible()
  await page.clock.runFor(60_000)
  expect(await isOld(page)).toBe(true)
})
