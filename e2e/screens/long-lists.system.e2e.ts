/** Hundreds of users and branches: the page stays small and responsive. */
import type { Page } from '@playwright/test'
import { data, expect, advanceClockUntil, ok, signedInAs, test, withBuild, withRepo } from '../support/screens.ts'

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

test('1,000 branches: all are in the page, but only those near the viewport are fully rendered', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const branches = Array.from({ length: 1000 }, (_, index) =>
    data.build({ id: index, number: 2000 - index, target: `feature/${String(index).padStart(4, '0')}` }),
  )
  host.on('GET /api/repos/octocat/hello/builds/branches', ok(branches))
  await go('/octocat/hello/branches')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'feature/' })
  await expect(rows).toHaveCount(1000)
  expect(await elements(page)).toBeLessThan(4_000)
  await expect(rows.nth(0).getByRole('img', { name: 'success' })).toBeVisible()
  // The browser's own search and screen readers find distant rows, which are links.
  for (const words of ['feature/0999', '7fd1a60b', 'octocat', 'Fix the parser'])
    await expect(rows.nth(999)).toContainText(words)
  await expect(rows.nth(999).getByRole('link')).toHaveAttribute('href', '/octocat/hello/1001')
  await expect(rows.nth(999).getByRole('img')).toHaveCount(0)
  await rows.nth(999).scrollIntoViewIfNeeded()
  await expect(rows.nth(999).getByRole('img', { name: 'success' })).toBeVisible()
  await expect(rows.nth(0).getByRole('img')).toHaveCount(0)
  expect(await elements(page)).toBeLessThan(4_000)
})

test('50 repositories: those outside the viewport are a name and a link, and fully rendered near it', async ({
  page,
  host,
  go,
}) => {
  const repos = Array.from({ length: 50 }, (_, index) => ({
    ...data.repo({ id: index + 1, name: `far-${index}`, slug: `octocat/far-${index}` }),
    build: data.build({ id: index + 1, number: 7, created: 1_700_000_000 - index }),
  }))
  signedInAs(host, {}).on('GET /api/user/repos', ok(repos))
  await go('/')
  const rows = page.getByRole('region', { name: /Repositories/ }).getByRole('listitem')
  await expect(rows).toHaveCount(50)
  const last = rows.nth(49)
  await expect(last).toHaveText('octocat/far-49 #7 Fix the parser')
  await expect(last.getByRole('link')).toHaveAttribute('href', '/octocat/far-49')
  await expect(last.locator('a *')).toHaveCount(0)
  // The link element is kept, so that it keeps the focus.
  await last.getByRole('link').focus()
  await last.scrollIntoViewIfNeeded()
  await expect(last.getByRole('img', { name: 'success' })).toBeVisible()
  await expect(last.getByRole('link')).toBeFocused()
})

for (const { height, width, built } of [
  { width: 1280, height: 800, built: true },
  { width: 1280, height: 800, built: false },
  { width: 390, height: 844, built: true },
  { width: 900, height: 1400, built: true },
])
  test(`the visible rows are fully rendered first, and soon a screenful beyond (${width} × ${height}${built ? '' : ', nothing built'})`, async ({
    page,
    host,
    go,
  }) => {
    await page.setViewportSize({ width, height })
    // The first frame lasts until the clock runs.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const repos = Array.from({ length: 50 }, (_, index) => ({
      ...data.repo({ id: index + 1, name: `far-${index}`, slug: `octocat/far-${index}` }),
      ...(built && { build: data.build({ id: index + 1, number: 7, created: 1_700_000_000 - index }) }),
    }))
    signedInAs(host, {}).on('GET /api/user/repos', ok(repos))
    await go('/')
    const rows = page.getByRole('region', { name: /Repositories/ }).getByRole('listitem')
    // React Query notifies about responses with a timer, which a paused clock would hold back
    // forever.
    await advanceClockUntil(page, async () => (await rows.count()) === 50, 1)
    const whole = rows.filter({ has: page.locator('a *') })
    const first = await whole.count()
    expect(first).toBeLessThan(Math.ceil(height / 53))
    const end = await rows.nth(first - 1).evaluate((row) => row.getBoundingClientRect().bottom)
    expect(end).toBeGreaterThanOrEqual(height)
    await page.clock.runFor(1_000)
    await expect(whole).toHaveCount(Math.ceil(height / 53))
  })

test('900 users: typing into the filter renders a screenful, not the list', async ({ page, host, go }) => {
  const users = Array.from({ length: 900 }, (_, index) =>
    data.user({ id: index + 2, login: `user-${String(index).padStart(4, '0')}`, email: `u${index}@example.com` }),
  )
  signedInAs(host, { admin: true }).on('GET /api/users', ok([...users, data.user({ admin: true })]))
  await go('/settings/users')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(901)
  expect(await elements(page)).toBeLessThan(4_000)
  await page.evaluate(() => {
    const made = { elements: 0, longest: 0 }
    Object.assign(window, { made })
    const count = (node: Node): number => (node instanceof Element ? 1 + node.querySelectorAll('*').length : 0)
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) made.elements += count(node)
    }).observe(document.body, { childList: true, subtree: true })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) made.longest = Math.max(made.longest, duration)
    }).observe({ type: 'longtask' })
  })
  const filter = page.getByPlaceholder('Filter by login or email')
  await filter.pressSequentially('user-0007')
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('button', { name: 'Edit user user-0007' })).toBeVisible()
  for (let times = 0; times < 9; times++) await filter.press('Backspace')
  await expect(rows).toHaveCount(901)
  await expect(filter).toHaveValue('')
  const made = await page.evaluate(() => (window as unknown as { made: { elements: number; longest: number } }).made)
  // Rendering complete rows again and again would be twenty thousand elements each time.
  expect(made.elements).toBeLessThan(9_000)
  // It was 600 to 1,200 ms per key.
  expect(made.longest).toBeLessThan(500)
  await rows.nth(880).scrollIntoViewIfNeeded()
  await expect(rows.nth(880).getByRole('button', { name: /^Delete user/ })).toBeVisible()
})

test('of ten thousand stages or steps a part is rendered, including the one in the URL, and more on request', async ({
  page,
  host,
  go,
}) => {
  const many = (count: number, steps: number) =>
    Array.from({ length: count }, (_, at) =>
      data.stage({
        id: at + 1,
        number: at + 1,
        name: `stage ${at + 1}`,
        steps: Array.from({ length: steps }, (_, index) => data.step({ number: index + 1, name: `step ${index + 1}` })),
      }),
    )
  const nav = page.getByRole('navigation', { name: 'Pipeline stages' })
  withBuild(host, data.detail({ stages: many(10_000, 1) }))
  await go('/octocat/hello/42/1500/1')
  // By text: computing the roles and names of thousands of elements takes many seconds.
  const stages = nav.locator('button', { hasText: /stage \d/ })
  await expect(stages).toHaveCount(2_000)
  await expect(nav).toContainText('10000 stages')
  await expect(nav.getByRole('link', { name: 'step 1' })).toHaveAttribute('aria-current', 'page')
  await nav.getByRole('button', { name: 'Show 1000 more' }).click()
  await expect(stages).toHaveCount(3_000)
  withBuild(host, data.detail({ stages: many(1, 2_500) }))
  await go('/octocat/hello/42/1/1')
  const steps = nav.locator('a', { hasText: /step \d/ })
  await expect(steps).toHaveCount(1_000)
  await nav.getByRole('button', { name: 'Show 1000 more' }).click()
  await nav.getByRole('button', { name: 'Show 500 more' }).click()
  await expect(steps).toHaveCount(2_500)
  // The pressed button is removed, so the focus moves to the page's heading.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Timeline' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('row')).toHaveCount(1_001)
  await timeline.getByRole('button', { name: 'Show 1000 more' }).click()
  await expect(timeline.getByRole('row')).toHaveCount(2_001)
})

test('of thousands of builds that arrived while the page was open a part is rendered', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Fix the parser' })
  await expect(rows).toHaveCount(1)
  for (let number = 43; number < 1_542; number++)
    await host.push('/api/stream', { ...data.repo(), version: number, build: data.build({ number, version: 9 }) })
  await expect(page.getByText('#1541').first()).toBeVisible()
  await expect(rows).toHaveCount(1_000)
  await page.getByRole('button', { name: 'Show 500 more' }).click()
  await expect(rows).toHaveCount(1_500)
})

test('of thousands of waiting builds the feed renders a part', async ({ page, host, go }) => {
  const builds = Array.from({ length: 1_500 }, (_, at) => ({ ...data.repo(), build: data.running({ number: at + 1 }) }))
  host.on('GET /api/user/builds/recent', ok(builds))
  await go('/builds-feed')
  const rows = page.getByRole('region', { name: 'Queued and running' }).getByRole('listitem')
  await expect(rows).toHaveCount(1_000)
  await page.getByRole('button', { name: 'Show 500 more' }).click()
  await expect(rows).toHaveCount(1_500)
})
