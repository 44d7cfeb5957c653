import { data, expect, fail, ok, signedInAs, test, fitsWidth } from '../support/screens.ts'

const many = (count: number, over = {}) =>
  Array.from({ length: count }, (_, index) =>
    data.repo({ id: index + 1, name: `repo-${String(index).padStart(3, '0')}`, permissions: undefined, ...over }),
  )
const slugs = (page: import('@playwright/test').Page) =>
  page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /octocat\/repo-/ })

test('[S2.home.1] [S2.home.8] [S2.routes.1] heading, Sync and the empty text', async ({ page, go }) => {
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sync' })).toBeVisible()
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
})

test('[S2.home.2] [S4.states.28] [S4.states.31] [S7.calls.7] Sync starts a sync and polls until it is done', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  host.on('POST /api/user/repos', { status: 204 })
  await go('/')
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  signedInAs(host, { syncing: true })
  await page.getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByRole('button', { name: 'Syncing' })).toBeVisible()
  expect(host.made('POST /api/user/repos')[0]?.query).toBe('?async=true')
  const before = host.made('GET /api/user').length
  await page.clock.runFor(10_500)
  await expect.poll(() => host.made('GET /api/user').length).toBeGreaterThan(before)
  signedInAs(host, { syncing: false })
  host.on('GET /api/user/repos', ok(many(1)))
  await page.clock.runFor(10_500)
  await expect(page.getByRole('button', { name: 'Sync', exact: true })).toBeVisible()
  await expect(slugs(page).first()).toBeVisible()
})

test('[S8.toasts.15] [S4.states.30] a sync that fails says so', async ({ page, host, go }) => {
  host.on('POST /api/user/repos', fail(500, 'no'))
  await go('/')
  await page.getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByText('Sync error has occured, please, try again')).toBeVisible()
})

test('[S2.home.4] [S9.constants.3] fifty rows, then all', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok(many(60)))
  await go('/')
  await expect(slugs(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(slugs(page).filter({ hasText: 'repo-059' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('[S2.home.6] [S9.constants.25] active first, newest build first, then slug', async ({ page, host, go }) => {
  host.on(
    'GET /api/user/repos',
    ok([
      data.repo({ id: 1, name: 'repo-c', active: false, build: data.build({ created: data.now }) }),
      data.repo({ id: 2, name: 'repo-b' }),
      data.repo({ id: 3, name: 'repo-a' }),
      data.repo({ id: 4, name: 'repo-z', build: data.build({ created: data.now - 50 }) }),
      data.repo({ id: 5, name: 'repo-y', build: data.build({ created: data.now - 10 }) }),
    ]),
  )
  await go('/')
  await expect(page.getByRole('main').getByText('octocat/repo-c').last()).toBeVisible()
  const order = await page.evaluate(() => {
    const hrefs = [...document.querySelectorAll('main a[href^="/octocat/repo-"]')].map(
      (link) => link.getAttribute('href') ?? '',
    )
    return [...new Set(hrefs.filter((href) => /^\/octocat\/repo-.(\/settings)?$/.test(href)))]
  })
  expect(order.slice(-5)).toEqual([
    '/octocat/repo-y',
    '/octocat/repo-z',
    '/octocat/repo-a',
    '/octocat/repo-b',
    '/octocat/repo-c/settings',
  ])
})

test('[S2.home.3] filter by slug and Active Only, which is remembered', async ({ page, host, go }) => {
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ name: 'repo-one' }), data.repo({ id: 2, name: 'repo-two', active: false })]),
  )
  await go('/')
  await expect(slugs(page)).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Filter' }).fill('  REPO-TW ')
  await expect(slugs(page)).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Filter' }).fill('')
  await page.getByRole('switch', { name: 'Active Only' }).click()
  await expect(slugs(page)).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Active Only' })).toBeChecked()
  await expect(slugs(page)).toHaveCount(1)
})

test('[S2.home.5] inactive rows lead to settings', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok([data.repo({ name: 'repo-two', active: false })]))
  await go('/')
  await expect(slugs(page).first()).toHaveAttribute('href', '/octocat/repo-two/settings')
})

test('[S2.home.7] [S9.constants.4] recent activity shows up to six with a build', async ({ page, host, go }) => {
  host.on(
    'GET /api/user/repos',
    ok(
      many(8).map((repo, index) => ({
        ...repo,
        build: index < 7 ? data.build({ message: 'Recent words' }) : undefined,
      })),
    ),
  )
  await go('/')
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible()
  const region = page.getByRole('region', { name: 'Recent Activity' })
  await expect(region.getByRole('link')).toHaveCount(6)
})

test('[S2.home.9] [S2.home.10] licence banners follow the two flags', async ({ page, go }) => {
  await page.addInitScript(() => Object.assign(window, { LICENSE_EXPIRED: true, LICENSE_LIMIT_EXCEEDED: true }))
  await go('/')
  await expect(page.getByText('Your Server License is Expired.')).toBeVisible()
  await expect(page.getByText('Your License Limit is Exceeded.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Learn more' })).toHaveCount(2)
})

test('a list that fails says what failed and can be tried again', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', fail(500, 'the disk is full'))
  await go('/')
  await expect(page.getByText('the disk is full')).toBeVisible()
  expect(host.made('GET /api/user/repos')).toHaveLength(1)
  host.on('GET /api/user/repos', ok(many(1)))
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(slugs(page).first()).toBeVisible()
})

test('[S4.states.33] [S7.calls.33] [S3.entities.11] an event changes its row, and nothing for unknown repositories', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ name: 'repo-one', build: data.build({ status: 'running', finished: 0 }) })]),
  )
  await go('/')
  await expect(page.getByRole('img', { name: 'running' }).first()).toBeVisible()
  await host.push('/api/stream', {
    ...data.repo({ name: 'stranger', id: 9 }),
    build: data.build({ id: 99, status: 'failure' }),
  })
  await host.push('/api/stream', {
    ...data.repo({ name: 'repo-one', version: 6 }),
    build: data.build({ status: 'failure', version: 9 }),
  })
  await expect(page.getByRole('img', { name: 'failure' }).first()).toBeVisible()
  await expect(page.getByText('octocat/stranger')).toHaveCount(0)
})

test('[S4.states.35] a cut stream is told, opened again, and what was missed is fetched', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ name: 'repo-one', build: data.build({ status: 'running', finished: 0 }) })]),
  )
  await go('/')
  await host.reader('/api/stream')
  host.cutStreams(502)
  await expect(page.getByText(/connection|live updates/i).first()).toBeVisible()
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ name: 'repo-one', version: 7, build: data.build({ status: 'success', version: 9 }) })]),
  )
  host.cutStreams(200)
  await host.reader('/api/stream')
  await expect(page.getByRole('img', { name: 'success' }).first()).toBeVisible()
})

test('the dashboard fits every width', async ({ page, host, go }) => {
  host.on(
    'GET /api/user/repos',
    ok(many(8).map((repo) => ({ ...repo, build: data.build({ message: 'x'.repeat(300) }) }))),
  )
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/')
    await expect(slugs(page).first()).toBeVisible()
    await fitsWidth(page)
  }
})
