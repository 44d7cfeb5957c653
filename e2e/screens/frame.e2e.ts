/** The frame of every page: rail, skip link, theme, favicon, toasts, dates. */
import type { Page } from '@playwright/test'
import {
  box,
  data,
  expect,
  fail,
  advanceClockUntil,
  ok,
  ours,
  signedInAs,
  signedOut,
  styleOf,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'
import { full } from '../support/tour.ts'

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('[S2.sidebar.1] [S2.sidebar.2] [S2.sidebar.4] [S6.roles.3] signed in: logo, Search, avatar; no settings', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  signedInAs(host, { avatar: '/favicon.svg' })
  await go('/account')
  await expect(rail(page).getByRole('button', { name: 'Search' })).toBeVisible()
  await expect(rail(page).locator('a[href="/account"] img')).toHaveAttribute('src', '/favicon.svg')
  await expect(rail(page).locator('a[href="/settings"]')).toHaveCount(0)
  await rail(page).locator('a[href="/"]').click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await rail(page).locator('a[href="/account"]').click()
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  await go('/octocat/hello')
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
})

test('[S2.sidebar.3] [S6.roles.6] [S2.routes.7] [S2.routes.8] administrators have settings @system', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/')
  await rail(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings\/users$/)
  await expect(page.getByText('ann@example.com')).toBeVisible()
  await go('/settings')
  await expect(page).toHaveURL(/\/settings\/users$/)
})

test('[S2.sidebar.5] [S6.roles.2] signed out: a link to sign in, no search, no settings', async ({
  page,
  host,
  go,
}) => {
  signedOut(host)
  await go('/logout')
  await expect(page.getByRole('button', { name: 'Search' })).toHaveCount(0)
  await expect(page.locator('a[href="/settings"], a[href="/account"]')).toHaveCount(0)
  await page.getByRole('link', { name: 'Click to sign in or sign up.' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByRole('link', { name: 'Continue' })).toBeVisible()
})

test('the rail counts the builds that wait for me, from lists that were already read @system', async ({
  page,
  host,
  go,
}) => {
  full(host)
  const waits = data.repo({ build: data.build({ status: 'blocked', finished: 0 }) })
  host.on('GET /api/user/repos', ok([waits]))
  // After a stream that took long to open, the page reads everything again.
  await page.clock.setFixedTime(Date.now())
  await go('/account')
  const feed = rail(page).getByRole('link', { name: 'Builds feed', exact: true })
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  await expect(feed).toHaveAccessibleDescription('')
  await rail(page).getByRole('link', { name: 'Flightdeck, home' }).click()
  await expect(feed).toHaveAccessibleDescription('Waiting for me: 1')
  await expect(feed).toHaveText('1')
  await rail(page).getByRole('link', { name: 'Account' }).click()
  await expect(feed).toHaveText('1')
  await host.push('/api/stream', { ...waits, build: { ...waits.build, status: 'running', version: 9 } })
  await expect(feed).toHaveText('')
  expect(host.made('GET /api/user/builds/recent')).toEqual([])
  expect(host.made('GET /api/user/repos')).toHaveLength(1)
})

test('the rail stays in place between pages, and keeps the focus [F.frame.1] @system', async ({ page, host, go }) => {
  full(host)
  await go('/')
  await rail(page).evaluate((element) => Object.assign(element, { first: true }))
  for (const [link, words] of [
    [page.getByRole('main').locator('a[href="/octocat/hello"]').first(), 'Executions'],
    [page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }), 'Ignore forks'],
    [rail(page).getByRole('link', { name: 'Account' }), 'drone info'],
    [rail(page).getByRole('link', { name: 'Settings' }), 'ann@example.com'],
    [rail(page).locator('a[href="/"]'), 'Recent Activity'],
  ] as const) {
    await link.click()
    await expect(page.getByText(words).first()).toBeVisible()
    expect(await rail(page).evaluate((element) => 'first' in element)).toBe(true)
  }
})

test('a skip link jumps over the rail to the content, and the current page is marked [F.frame.3] [F.frame.4]', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/')
  await expect(crumbs).toContainText('octocat')
})

/** From 0 (black) to 255 (white). */
const brightness = async (page: Page): Promise<number> => {
  const rgb = await page.locator('body').evaluate((body) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('no canvas')
    const colours = [getComputedStyle(body).backgroundColor, getComputedStyle(document.documentElement).backgroundColor]
    canvas.fillStyle = colours.find((colour) => !/^rgba\(.*, 0\)$|transparent/.test(colour)) ?? 'white'
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  })
  return rgb.reduce((sum, part) => sum + part, 0) / 3
}

test('the dark theme applies before any script has run [F.theme.1] @system', async ({ page, host, go }) => {
  full(host)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/*.js', () => undefined)
  await page.goto(`${host.origin}/`, { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(() => localStorage.setItem('flightdeck.theme', 'dark'))
  await page.goto(`${host.origin}/`, { waitUntil: 'commit' })
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  await page.unroute('**/*.js')
  await go('/')
  await expect(page.getByText('Recent Activity')).toBeVisible()
  expect(await brightness(page)).toBeLessThan(60)
})

test('the pages around signing in follow the dark theme [F.theme.2] @system', async ({ page, host, go }) => {
  signedOut(host)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of ['/welcome', '/login/form', '/login/error', '/logout']) {
    await go(path)
    await expect(page.getByRole('main').getByRole('heading')).toBeVisible()
    expect(await brightness(page), path).toBeLessThan(60)
  }
})

test('the theme follows the system until a user chooses one, also after changes [F.theme.3] [F.frame.2] @system', async ({
  page,
  host,
  go,
}) => {
  full(host)
  await page.emulateMedia({ colorScheme: 'light' })
  await go('/')
  const theme = page.getByRole('button', { name: /theme/i })
  await expect(theme).toHaveAccessibleName(/system/)
  expect(await brightness(page)).toBeGreaterThan(200)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  await theme.click()
  await expect(theme).toHaveAccessibleName(/light/)
  await expect.poll(() => brightness(page)).toBeGreaterThan(200)
  await page.reload()
  await expect(theme).toHaveAccessibleName(/light/)
  expect(await brightness(page)).toBeGreaterThan(200)
  await theme.click()
  await expect(theme).toHaveAccessibleName(/dark/)
  await theme.click()
  await expect(theme).toHaveAccessibleName(/system/)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => brightness(page)).toBeGreaterThan(200)
})

test('[S2.other.5] [S2.other.6] the favicon is animated while a build of the viewed repository is running [F.title.1] @system', async ({
  page,
  host,
  go,
}) => {
  const running = data.running()
  withBuild(host, running)
  const repo = { ...data.repo(), build: running }
  const other = data.repo({ id: 2, name: 'other' })
  host
    .on('GET /api/user/repos', ok([repo, other]))
    .on('GET /api/repos/octocat/other', ok(other))
    .on('GET /api/repos/octocat/other/builds', ok([]))
  const icon = page.locator('link[rel~="icon"]')
  await go('/octocat/hello/42')
  await expect(icon).toHaveAttribute('href', /running/)
  const images = await page.evaluate(async (busy) => {
    const text = async (address: string) => (await fetch(address)).text()
    return [await text(busy), await text('/favicon.svg')]
  }, '/favicon-running.svg')
  expect(images[0]).toContain('<svg')
  expect(images[1]).toContain('<svg')
  expect(images[0]).not.toBe(images[1])
  await go('/octocat/other')
  await expect(page.getByText('Your Build List is Empty.')).toBeVisible()
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
  await go('/octocat/hello')
  await expect(icon).toHaveAttribute('href', /running/)
  const ended = { ...running, status: 'success' as const, finished: data.now, version: 9 }
  withBuild(host, ended)
  await host.push('/api/stream', { ...repo, build: ended })
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
  await go('/')
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
})

for (const [list, path, answer, of] of [
  ['branches', '/octocat/hello/branches', 'builds/branches', {}],
  ['deployments', '/octocat/hello/deployments', 'builds/deployments', { event: 'promote', deploy_to: 'production' }],
  ['pull requests', '/octocat/hello/pulls', 'builds/pulls', { event: 'pull_request', ref: 'refs/pull/7/head' }],
  ['a branch', '/octocat/hello/branches/main', 'builds', {}],
  ['a commit', `/octocat/hello/commits/${data.build().after}`, `commits/${data.build().after}/builds`, {}],
] as const)
  test(`the favicon is animated while a build runs that only the list of ${list} contains @system`, async ({
    page,
    host,
    go,
  }) => {
    const running = data.build({ status: 'running', finished: 0, ...of })
    const repo = withRepo(host, {}, [])
    // Only Flightdeck has pages for commits.
    signedInAs(host, ours)
      .on(`GET /api/repos/octocat/hello/commits/${running.after}`, ok(data.commit()))
      .on(`GET /api/repos/octocat/hello/${answer}`, ok([running]))
    const icon = page.locator('link[rel~="icon"]')
    await go(path)
    await expect(icon).toHaveAttribute('href', '/favicon-running.svg')
    const ended = { ...running, status: 'success', finished: data.now, version: 9 }
    await host.push('/api/stream', { ...repo, build: ended })
    await expect(icon).toHaveAttribute('href', '/favicon.svg')
  })

test('[S2.other.3] [S9.constants.14] toasts: top centre, three at most, three seconds, read out [F.toasts.1] @system', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  let calls = 0
  withBuild(host)
  host.on('POST /api/repos/octocat/hello/builds/42', () => fail(500, `refusal ${++calls}`))
  await go('/octocat/hello/42')
  const toasts = page.getByRole('status', { name: 'Notifications' })
  await expect(page.getByRole('button', { name: 'Actions' })).toBeVisible()
  // The clock is paused from here on: on a busy machine four refusals take longer than a toast
  // stays.
  await page.clock.pauseAt(Date.now() + 60_000)
  const restart = async (count: number) => {
    await page.getByRole('button', { name: 'Actions' }).click()
    const item = page.getByRole('menuitem', { name: 'Restart' })
    await advanceClockUntil(page, () => item.isVisible())
    await item.click()
    // The toast appears although the page's clock is paused.
    await expect(toasts.getByText(`refusal ${count}`)).toHaveCount(1)
  }
  await restart(1)
  await expect(toasts).toHaveAttribute('aria-live', 'polite')
  await page.clock.runFor(2_999)
  await expect(toasts.getByText('refusal 1')).toBeVisible()
  const place = await box(toasts.getByRole('listitem'))
  expect(place.y).toBeLessThan(100)
  expect(Math.abs(place.x + place.width / 2 - 640)).toBeLessThan(2)
  await page.clock.runFor(1)
  await expect(toasts.getByText('refusal 1')).toHaveCount(0)
  for (const count of [2, 3, 4, 5]) await restart(count)
  await expect(toasts.getByRole('listitem')).toHaveCount(3)
  await expect(toasts.getByText('refusal 5')).toBeVisible()
  await page.clock.runFor(2_999)
  await expect(toasts.getByText('refusal 5')).toBeVisible()
  await page.clock.runFor(1)
  await expect(toasts.getByRole('listitem')).toHaveCount(0)
})

test.describe('a viewer far away, with a browser that speaks German', () => {
  test.use({ locale: 'de-DE', timezoneId: 'America/New_York' })
  test('[S2.other.7] [S3.entities.14] dates are en-US, in the viewer’s time zone @system', async ({
    page,
    host,
    go,
  }) => {
    withBuild(host, data.detail({ created: 1_700_000_000, started: 1_700_000_040, finished: 1_700_040_000 }))
    await go('/octocat/hello/42')
    const main = page.getByRole('main')
    await expect(main.getByText('Nov 14, 2023, 5:13 PM', { exact: true })).toBeVisible()
    await expect(main.getByText('Nov 14, 2023, 5:14 PM', { exact: true })).toBeVisible()
  })
})

const groups = {
  cross: ['error', 'failure'],
  dash: ['killed', 'declined', 'skipped', 'inactive'],
  circle: ['running', 'pending', 'waiting_on_dependencies', 'blocked'],
  tick: ['success'],
} as const

test('[S4.states.1] [S4.states.2] [S4.states.3] [S4.states.4] [S4.states.5] [S4.states.6] each status has its name and the icon of its group [F.keyboard.8] @system', async ({
  page,
  host,
  go,
}) => {
  const all = Object.values(groups).flat()
  host.on(
    'GET /api/user/repos',
    ok(
      all.map((status, index) =>
        data.repo({
          id: index + 1,
          name: `is-${status}`,
          active: status !== 'inactive',
          ...(status !== 'inactive' && { build: data.build({ status, created: data.now - index }) }),
        }),
      ),
    ),
  )
  await go('/')
  const list = page.getByRole('region', { name: 'Repositories' })
  const shapes: Record<string, string[]> = {}
  const colours: Record<string, Set<string>> = {}
  for (const [group, statuses] of Object.entries(groups))
    for (const status of statuses) {
      const row = list.getByRole('link').filter({ hasText: `octocat/is-${status}` })
      const icon = row.getByRole('img', { name: status, exact: true })
      await expect(icon).toBeVisible()
      const shape = await icon.evaluate((svg) =>
        [...svg.querySelectorAll('path, circle')].map((part) => part.getAttribute('d') ?? `r${part.getAttribute('r')}`),
      )
      ;(shapes[group] ??= []).push(shape.join(' '))
      ;(colours[group] ??= new Set()).add(await styleOf(icon, 'color'))
    }
  for (const group of ['cross', 'dash', 'tick']) expect(new Set(shapes[group]).size, group).toBe(1)
  expect(new Set(['cross', 'dash', 'tick'].map((group) => shapes[group]?.[0])).size).toBe(3)
  for (const shape of shapes['circle'] ?? []) expect(shape).toMatch(/^r6\.25 /)
  for (const [group, used] of Object.entries(colours)) expect(used.size, group).toBe(1)
  expect(new Set(Object.values(colours).flatMap((used) => [...used])).size).toBe(4)
})
