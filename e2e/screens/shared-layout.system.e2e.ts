/** What all screens share: fonts, edges, rules, toasts, tooltips, names. */
import type { Locator } from '@playwright/test'
import {
  box,
  choose,
  data,
  expect,
  fail,
  ok,
  rest,
  signedInAs,
  styleOf,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'
import { full } from '../support/tour.ts'

for (const colorScheme of ['light', 'dark'] as const)
  test(`a status bar shows its status at its edge (${colorScheme})`, async ({ page, host, go }) => {
    await page.emulateMedia({ colorScheme })
    for (const status of ['success', 'failure', 'running', 'killed'] as const) {
      withBuild(host, data.detail({ status }))
      await go('/octocat/hello/42')
      const bar = page.getByRole('status', { name: 'Build status' })
      await expect(bar).toContainText(status)
      expect(await styleOf(bar, 'border-left-width')).toBe('3px')
      expect(await styleOf(bar, 'border-left-color')).toBe(await styleOf(bar.locator('span[aria-hidden]'), 'color'))
    }
  })

test('the rule below the header spans the window on each page', async ({ page, host, go }) => {
  full(host)
  for (const path of ['/', '/octocat/hello', '/octocat/hello/42', '/settings/users', '/account']) {
    await go(path)
    const header = page.locator('header').first()
    await expect(header).toBeVisible()
    const { x, width } = await box(header)
    expect(x + width, path).toBe(1280)
  }
})

test('a breadcrumb is 44 px high on touch screens', async ({ browser, host }) => {
  withBuild(host)
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  for (const path of ['/octocat/hello', '/octocat/hello/42']) {
    await page.goto(host.origin + path)
    const crumbs = page
      .getByRole('banner')
      .or(page.locator('header'))
      .first()
      .getByRole('link', { name: /Dashboard|Builds|octocat/ })
    await expect(crumbs.first()).toBeVisible()
    for (const crumb of await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').all())
      expect((await box(crumb)).height).toBeGreaterThanOrEqual(44)
  }
  await context.close()
})

const fixed = async (place: Locator, act: () => Promise<void>) => {
  const before = await box(place)
  await act()
  expect(await box(place)).toEqual(before)
}

test('nothing moves when Sync becomes Syncing or a menu opens', async ({ page, host, go }) => {
  withBuild(host)
  let syncing = false
  host.on('GET /api/user', () => ok(data.user({ syncing })))
  host.on('POST /api/user/repos', () => {
    syncing = true
    return { status: 204 }
  })
  await go('/')
  const sync = page.getByRole('button', { name: /^Sync/ })
  await expect(sync).toHaveText('Sync')
  await fixed(sync, async () => {
    await sync.click()
    await expect(sync).toHaveText('Syncing')
  })
  await go('/octocat/hello/42')
  const title = page.getByRole('heading', { level: 1 })
  const actions = page.getByRole('button', { name: 'Actions' })
  await expect(actions).toBeVisible()
  const width = () => page.evaluate(() => document.documentElement.clientWidth)
  const before = await width()
  await fixed(title, () =>
    fixed(actions, async () => {
      await actions.click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      expect(await width()).toBe(before)
    }),
  )
})

test('a toast is below an error, never on top of it', async ({ page, host, go }) => {
  await page.addInitScript(() => Object.assign(window, { LICENSE_EXPIRED: true }))
  withBuild(host, data.detail({ status: 'error', error: 'yaml: line 3: '.repeat(20) }))
  host
    .on('POST /api/repos/octocat/hello/builds/42', fail(500, 'not now'))
    .on('POST /api/user/repos', fail(500, 'not now either'))
  const notice = page.getByRole('status', { name: 'Notifications' }).getByRole('listitem')
  const distanceTo = async (error: Locator) => {
    await expect(notice).toBeVisible()
    await rest(page)
    // Measured once, because the toast disappears.
    const { y: top } = await box(notice)
    const { y, height } = await box(error)
    expect(top).toBeGreaterThanOrEqual(y + height)
    expect(top).toBeLessThan(y + height + 20)
  }
  await go('/')
  await page.getByRole('button', { name: 'Sync' }).click()
  await distanceTo(page.getByRole('alert').filter({ hasText: 'License' }))
  await go('/octocat/hello/42')
  await choose(page, 'Restart')
  await distanceTo(page.getByRole('status', { name: 'Build status' }))
})

test('avatars of users have different colors', async ({ page, host, go }) => {
  full(host)
  const logins = ['ann', 'wes', 'octocat', 'bo']
  signedInAs(host, { admin: true }).on('GET /api/users', ok(logins.map((login, id) => data.user({ id, login }))))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await go('/settings/users')
    const letters = page.getByRole('main').locator('li svg:has(text)')
    await expect(letters).toHaveCount(4)
    const colours = await letters.evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
    expect(new Set(colours).size).toBe(4)
  }
})

test('the rail’s tooltips fit into the window, at its side and at its end', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true, login: 'somebody-with-a-long-name' })
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: 600 })
    await go('/')
    const tips = page.getByRole('navigation', { name: 'Main' }).locator('[data-tip]')
    await expect(tips).toHaveCount(6)
    for (const tip of await tips.all()) {
      const { left, right, top } = await tip.evaluate((element) => {
        const place = element.getBoundingClientRect()
        const hint = getComputedStyle(element, '::after')
        const start = place.left + Number.parseFloat(hint.left)
        return {
          left: start,
          right: start + Number.parseFloat(hint.width),
          top: place.top + Number.parseFloat(hint.top),
        }
      })
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(width)
      expect(top).toBeGreaterThanOrEqual(0)
    }
  }
})

test('0s is shown only for steps that ran', async ({ page, host, go }) => {
  const at = data.now - 100
  const instant = { started: at, finished: at, created: at }
  const builds = (['skipped', 'killed', 'error', 'success', 'failure'] as const).map((status, index) =>
    data.build({ id: 9 - index, number: 9 - index, status, ...instant }),
  )
  withRepo(host)
  host.on('GET /api/repos/octocat/hello/builds', ok(builds))
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(5)
  for (const [index, { status }] of builds.entries())
    await expect(rows.nth(index)).toHaveText(status === 'success' || status === 'failure' ? /0s$/ : /–$/)
  const steps = [
    data.step({ started: at, stopped: at }),
    data.step({ number: 2, name: 'lint', status: 'skipped', started: at, stopped: at }),
  ]
  withBuild(host, data.detail({ ...instant, status: 'failure', stages: [data.stage({ steps })] }))
  await go('/octocat/hello/42')
  const stages = page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('listitem')
  const named = (name: string) => stages.filter({ has: page.locator(`[title="${name}"]`) }).last()
  await expect(named('test')).toContainText('0s')
  await expect(named('lint')).toBeVisible()
  await expect(named('lint')).not.toContainText('0s')
})

test('the not-found page offers the dashboard first, and sign-in', async ({ page, go }) => {
  await go('/nowhere/at/all/ever/x')
  const ways = page.getByRole('main').getByRole('link')
  await expect(ways).toHaveText(['Go to the dashboard', 'Sign In'])
  await ways.first().click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('the running builds are one click away on every page', async ({ page, host, go }) => {
  full(host)
  await go('/account')
  await page.getByRole('link', { name: 'Builds feed' }).click()
  await expect(page.getByRole('heading', { name: 'Builds feed' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Builds feed' })).toHaveAttribute('aria-current', 'page')
})

test('the search finds loaded branches and builds, after the repositories', async ({ page, host, go }) => {
  withRepo(host)
  host.on('GET /api/repos/octocat/hello/builds/branches', ok([data.build({ number: 7, target: 'hello-again' })]))
  host.on(
    'GET /api/repos/octocat/hello/builds',
    ok([data.build({ number: 42 }), data.build({ id: 6, number: 41, message: 'Say hello' })]),
  )
  await go('/octocat/hello/branches')
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await expect(page.getByText('Say hello')).toBeVisible()
  await page.getByRole('button', { name: 'Search' }).click()
  const drawer = page.getByRole('dialog', { name: 'Search' })
  const hits = drawer.getByRole('link')
  await drawer.getByRole('textbox').fill(' HELLO ')
  await expect(hits).toHaveText([
    /octocat\/helloFound "HELLO" in Repositories/,
    /hello-againFound "HELLO" in Branches of octocat\/hello/,
    /#41 Say helloFound "HELLO" in Builds of octocat\/hello/,
  ])
  await drawer.getByRole('textbox').fill('zebra')
  await expect(drawer.getByText('Repos not found')).toBeVisible()
  await drawer.getByRole('textbox').fill('#41')
  await expect(hits).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/octocat\/hello\/41/)
})
