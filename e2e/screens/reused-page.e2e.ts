/** What a test leaves behind is not there for the next one of the same worker (support/reused-page.ts). */
import type { Page } from '@playwright/test'
import { expect, test, withRepo } from '../support/screens.ts'

test.describe.configure({ mode: 'serial' })

const title = (page: Page) => page.getByRole('heading', { name: 'hello' })
let before: Page | undefined
let asked = 0

test('storage, cookies, the name of the window and answers are left behind', async ({ page, host, go }) => {
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

test('the next test has the same page without them', async ({ page, go, host }) => {
  expect(page).toBe(before)
  await go('/octocat/hello')
  await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  expect(host.made('GET /api/repos/octocat/hello')).toHaveLength(1)
  const left = await page.evaluate(() => [localStorage['left'], sessionStorage['left'], document.cookie, window.name])
  expect(left).toEqual([undefined, undefined, '', ''])
  await page.setViewportSize({ width: 390, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active', media: 'print' })
  await page.route('**/api/user', (route) => route.abort())
  await page.context().route('**/api/user/repos', (route) => route.abort())
  await page.context().grantPermissions(['clipboard-read'])
  await page.context().setOffline(true)
  await page.setExtraHTTPHeaders({ 'x-left': 'behind' })
  page.on('request', () => (asked += 1))
  await page.keyboard.down('Shift')
  await page.mouse.down()
})

test('size, media, routes, permissions, listeners and pressed keys are left behind', async ({ page, go, host }) => {
  expect(page).toBe(before)
  withRepo(host)
  asked = 0
  await go('/octocat/hello')
  await expect(title(page)).toBeVisible()
  expect(asked).toBe(0)
  expect(page.viewportSize()).toEqual({ width: 1280, height: 800 })
  const media = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors: active)', 'print']
  const state = await page.evaluate(async (queries) => {
    const { state: clipboard } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
    const held = new Promise((resolve) => {
      const answer = (event: MouseEvent) => resolve([event.shiftKey, event.buttons])
      document.addEventListener('mousemove', answer, { once: true })
    })
    Object.assign(window, { held })
    return [innerWidth, clipboard, ...queries.map((query) => matchMedia(query).matches)]
  }, media)
  expect(state).toEqual([1280, 'prompt', false, false, false, false])
  await page.mouse.move(300, 300)
  expect(await page.evaluate(() => (window as unknown as { held: unknown }).held)).toEqual([false, 0])
  expect(host.made('GET /api/user')[0]?.headers['x-left']).toBeUndefined()
  // No reset takes it back.
  await page.addInitScript(() => undefined)
})

test('after a test that changed what no reset takes back there is a new page', async ({ page }) => {
  expect(page).not.toBe(before)
})
