/** The page's own script does not load: no skeleton stays forever. */
import type { Page } from '@playwright/test'
import { expect, styleOf, test, withRepo } from '../support/screens.ts'

const entry = /\/assets\/index-[^/]+\.js$/
const words = (page: Page) => page.getByRole('alert').filter({ hasText: 'Flightdeck could not be loaded' })

test('the page says that its script did not load and offers a reload, which helps', async ({ page, host, go }) => {
  withRepo(host)
  // Paused, so that the page doesn't reload itself before the click.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.route(entry, (route) => route.abort())
  await go('/octocat/hello')
  await expect(words(page)).toBeVisible()
  await expect(page.locator('#root')).toHaveCount(0)
  expect(await styleOf(words(page), 'font-family')).toContain('Inter')
  await page.unroute(entry)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'hello' })).toBeVisible()
  await expect(words(page)).toHaveCount(0)
})

for (const fault of ['connection', 'answer'] as const)
  test(`the page recovers when the server is back, after a fault of the ${fault} @system`, async ({
    page,
    host,
    go,
  }) => {
    withRepo(host)
    await page.clock.install()
    await page.route(entry, (route) => (fault === 'connection' ? route.abort() : route.fulfill({ status: 503 })))
    await go('/octocat/hello')
    await expect(words(page)).toBeVisible()
    // Still down.
    const request = page.waitForRequest(entry)
    await page.clock.runFor(3_000)
    await request
    await expect(words(page)).toBeVisible()
    await page.unroute(entry)
    await expect(async () => {
      await page.clock.runFor(3_000)
      await expect(page.getByRole('heading', { name: 'hello' })).toBeVisible({ timeout: 500 })
    }).toPass()
  })

test('no link requests a file without a type @system', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  await expect(page.getByRole('heading', { name: 'hello' })).toBeVisible()
  expect(await page.locator('link[as=""]').count()).toBe(0)
})
