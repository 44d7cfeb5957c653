/**
 * A page that was loaded while the server was down shows its content once the server is back,
 * without a reload.
 */
import type { Page, Route } from '@playwright/test'
import { expect, test, withRepo } from '../support/screens.ts'

const calls = (url: URL) => url.pathname.startsWith('/api/') || url.pathname === '/version'
const faults: Record<string, (route: Route) => Promise<void>> = {
  'nothing listens': (route) => route.abort('connectionrefused'),
  'the server fails with 500': (route) => route.fulfill({ status: 500, json: { message: 'database is locked' } }),
  'a proxy answers 502': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  'a proxy answers 503': (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'starting' }),
}
const title = (page: Page) => page.getByRole('heading', { name: 'hello' })

for (const [what, fault] of Object.entries(faults))
  test(`a page recovers without a reload after ${what}${what === 'a proxy answers 502' ? '' : ' @system'}`, async ({
    page,
    host,
    go,
  }) => {
    withRepo(host)
    await page.clock.install()
    await page.route(calls, fault)
    await go('/octocat/hello')
    await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.clock.runFor(5_000)
    await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible()
    await page.unroute(calls)
    await expect(async () => {
      await page.clock.runFor(15_000)
      await expect(title(page)).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })
