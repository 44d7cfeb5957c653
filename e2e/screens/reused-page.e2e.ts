/** State of a test does not leak into the next one of the same worker (support/reused-page.ts). */
import type { Page } from '@playwright/test'
import { expect, test, withRepo } from '../support/screens.ts'

test.describe.configure({ mode: 'serial' })

const title = (page: Page) => page.getByRole('heading', { name: 'hello' })
let before: Page | undefined

test('storage, cookies, the name of the window and responses are left behind @system', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  await expect(title(page)).toBeVisible()
  await page.evaluate(() => {
    localStorage.setItem('left', 'behind')
    sessionStorage.setItem('left', 'behind')
    document.cookie = 'left=behind'
    window.name = 'left'
  })
  before = page
})

test('the next test has the same page without them @system', async ({ page, go, host }) => {
  expect(page).toBe(before)
  await go('/octocat/hello')
  await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  expect(host.made('GET /api/repos/octocat/hello')).toHaveLength(1)
  const left = await page.evaluate(() => [localStorage['left'], sessionStorage['left'], document.cookie, window.name])
  expect(left).toEqual([undefined, undefined, '', ''])
  // A reset does not remove routes.
  await page.route('**/nothing', (route) => route.abort())
})

test('after a test that changed what a reset does not restore there is a new page @system', async ({ page }) => {
  expect(page).not.toBe(before)
})
