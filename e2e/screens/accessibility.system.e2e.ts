/**
 * Contrast, names and touch targets of dialogs and menus; links and Back (for each screen:
 * every-screen.system.e2e.ts).
 */
import type { Page } from '@playwright/test'
import { expectAccessible as look } from '../support/axe.ts'
import { box, choose, data, expect, fitsWidth, follow, ok, ours, openDialog, rest, test } from '../support/screens.ts'
import { full, screens } from '../support/tour.ts'

const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first()

/** Controls smaller than 24 px, except for words in a sentence. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [role=separator]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => {
        const inline = getComputedStyle(element).display === 'inline'
        const field = element.closest('label') ?? document.querySelector(`label[for="${element.id}"]`)
        const { width, height } = element.getBoundingClientRect()
        const { height: label = 0 } = element.matches('input') ? (field?.getBoundingClientRect() ?? {}) : {}
        return !inline && width > 1 && (width < 24 || Math.max(height, label) < 24)
      })
      // The skip link is for the keyboard only; the chart's bars are close together by design.
      .filter((element) => !element.matches('a[href="#main"], [aria-label="Durations of the last builds"] a'))
      .map((element) => element.outerHTML.slice(0, 160)),
  )

test('the screens of people and access, which only Flightdeck has, are accessible', async ({ page, host, go }) => {
  full(host)
  host
    .on('GET /api/user', ok(data.user({ admin: true, ...ours })))
    .on('GET /api/runners', ok(data.runners({ runners: [data.runner({ builtin: true })], queue: [data.queueItem()] })))
    .on('GET /api/repos/octocat/hello/builds/43', ok(data.withoutRunner()))
    .on('POST /api/invitation', ok({ login: 'ann', expires: data.now + 3600 }))
  for (const [path, shows] of [
    ['/account', 'Change password'],
    ['/octocat/hello/43', 'Start Drone’s runner on a Docker host'],
    ['/login/invite#once', 'Choose your password'],
  ] as [string, string][]) {
    await go(path)
    await expect(page.getByRole('main').getByText(shows, { exact: true }).first()).toBeVisible()
    await look(page, path)
  }
})

test('the dialog of a new build and the search have names and contrast, light and dark [F.keyboard.2]', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await expect(page.getByRole('dialog', { name: 'Create a New Build' })).toBeVisible()
  await look(page, 'new build')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByPlaceholder('Search repositories, branches and builds').fill('hello')
  await expect(page.getByText('Found "hello" in Repositories')).toBeVisible()
  await look(page, 'search')
})

test('the menu of a build, its dialog, the graph and the log’s search have names and contrast [F.keyboard.2]', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/octocat/hello/42/1/1')
  await expect(page.getByRole('button', { name: 'Actions' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog', { name: 'Build #42 details' }).getByRole('region').first()).toBeVisible()
  await look(page, 'details')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions' }).click()
  await look(page, 'menu')
  await page.getByRole('menuitem', { name: 'Promote' }).click()
  await expect(page.getByRole('dialog', { name: 'Create deployment' })).toBeVisible()
  await look(page, 'deployment')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.getByRole('region', { name: 'Stage graph' }).getByRole('link', { name: /unit/ }).click()
  await expect(page.getByRole('dialog', { name: 'Step info' })).toBeVisible()
  await look(page, 'graph')
  await page.getByRole('button', { name: 'Log View' }).click()
  await page.getByRole('button', { name: 'Find in log' }).click()
  await look(page, 'find in log')
})

test('the failed steps, new lines, only new lines, and the timeline have names and contrast', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/octocat/hello/42/1/1')
  const console = page.getByRole('region', { name: 'Console' })
  await expect(console.locator('[data-fresh]')).toHaveCount(3)
  await expect(page.getByRole('region', { name: 'What failed' })).toContainText('failed: ')
  await look(page, 'new lines')
  await page.keyboard.press('o')
  await expect(console.locator('[data-line]')).toHaveCount(3)
  await look(page, 'only new lines')
  host.on('GET /api/user', ok(data.user({ admin: true })))
  await go('/octocat/hello/42/1/1')
  await expect(console.getByRole('button', { name: /^Compare with the last successful run/ })).toBeVisible()
  await look(page, 'comparison')
  await page.getByRole('button', { name: 'Timeline' }).click()
  await expect(page.getByRole('button', { name: 'Timeline' })).toHaveAttribute('aria-pressed', 'true')
  await look(page, 'timeline')
})

test('confirmations and the dialogs of users have names and contrast, light and dark [F.keyboard.2]', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/octocat/hello/settings/secrets')
  await page.getByRole('button', { name: 'Delete secret registry_password' }).click()
  await expect(openDialog(page)).toBeVisible()
  await look(page, 'question')
  await go('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await expect(page.getByRole('dialog', { name: 'New user' })).toBeVisible()
  await look(page, 'new user')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit user ann' }).click()
  await look(page, 'edit user')
})

test('links open the screens without a reload, and Back returns through them', async ({ page, host, go }) => {
  full(host)
  await go('/')
  await expect(shown(page, 'octocat/hello')).toBeVisible()
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  const main = page.getByRole('main')
  await main.locator('a[href="/octocat/hello"]').first().click()
  for (const tab of ['Branches', 'Deployments', 'Settings']) {
    await main.getByRole('link', { name: tab, exact: true }).first().click()
    await expect(page).toHaveTitle(`${tab} – octocat/hello · Flightdeck`)
  }
  for (const entry of ['Secrets', 'Cron Jobs', 'Badges']) {
    await main.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: entry }).click()
    await expect(page).toHaveTitle(`${entry} – octocat/hello · Flightdeck`)
  }
  await main.getByRole('link', { name: 'Builds', exact: true }).click()
  await main
    .getByRole('link', { name: /Fix the parser/ })
    .first()
    .click()
  await expect(page).toHaveTitle('#42 – Fix the parser – octocat/hello · Flightdeck')
  for (const title of ['Builds', 'Badges', 'Cron Jobs', 'Secrets', 'Settings', 'Deployments', 'Branches', 'Builds']) {
    await page.goBack()
    await expect(page).toHaveTitle(`${title} – octocat/hello · Flightdeck`)
  }
  await page.goBack()
  await expect(page).toHaveTitle('Dashboard · Flightdeck')
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
})

test('the open dialogs, the console and the graph fit a phone [F.mobile.3]', async ({ page, host, go }) => {
  full(host)
  await page.setViewportSize({ width: 320, height: 640 })
  const fits = async (name: string) => {
    await expect(openDialog(page).first()).toBeVisible()
    await rest(page)
    const place = await box(openDialog(page).first())
    expect(place.x, name).toBeGreaterThanOrEqual(0)
    expect(place.x + place.width, name).toBeLessThanOrEqual(320)
    expect(place.y + place.height, name).toBeLessThanOrEqual(640)
    await fitsWidth(page)
  }
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await fits('new build')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search' }).click()
  await fits('search')
  await go('/octocat/hello/42')
  await choose(page, 'Promote')
  await fits('deployment')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /test/ }).click()
  await fits('console')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.getByRole('region', { name: 'Stage graph' }).getByRole('link', { name: /unit/ }).click()
  await fits('step info')
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  test('every control is large enough', async ({ page, host, go }) => {
    full(host)
    await go('/')
    for (const { path, title, shows } of screens) {
      await follow(page, path)
      await expect(page).toHaveTitle(`${title} · Flightdeck`)
      await expect(shown(page, shows)).toBeVisible()
      expect(await tooSmall(page), path).toEqual([])
    }
    await go('/octocat/hello/42/1/1')
    await page.getByRole('link', { name: /test/ }).tap()
    await expect(page.getByRole('dialog').getByRole('log')).toContainText('AssertionError: 3 !== 4')
    expect(await tooSmall(page), 'console').toEqual([])
  })
})

test('a filter such as 1.10 stays unchanged in the URL [F.dashboard.2]', async ({ page, host, go }) => {
  full(host).on('GET /api/user/repos', ok([data.repo(), data.repo({ id: 2, name: 'v1.10', slug: 'octocat/v1.10' })]))
  await go('/')
  await page.getByRole('textbox', { name: 'Filter' }).fill('1.10')
  await expect(page).toHaveURL(`${host.origin}/?filter=1.10`)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('1.10')
  await expect(page.getByRole('main').getByText('octocat/v1.10').first()).toBeVisible()
  expect(new URL(page.url()).search).toBe('?filter=1.10')
})
