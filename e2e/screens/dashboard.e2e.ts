/** The dashboard: the list, its filter and order, Recent Activity, Sync, the license banners. */
import type { Page } from '@playwright/test'
import { watchOpenStream } from '../support/open-stream.ts'
import { watchPolls } from '../support/polls.ts'
import {
  latch,
  box,
  data,
  expect,
  fail,
  follow,
  advanceClockUntil,
  ok,
  signedInAs,
  styleOf,
  test,
  withBuild,
  toastShows,
} from '../support/screens.ts'

const many = (count: number, over = {}) =>
  Array.from({ length: count }, (_, index) =>
    data.repo({ id: index + 1, name: `repo-${String(index).padStart(3, '0')}`, permissions: undefined, ...over }),
  )
const list = (page: Page) => page.getByRole('region', { name: 'Repositories' })
const rows = (page: Page) => list(page).getByRole('link')
const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter' })

test('[S2.home.1] [S2.home.8] [S2.routes.1] heading, Sync and the empty text', async ({ page, go }) => {
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sync' })).toBeVisible()
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
})

test('[S2.home.2] [S4.states.28] [S4.states.29] [S4.states.31] [S7.calls.4] [S7.calls.7] [S7.calls.36] [S9.constants.11] [S3.entities.12] Sync starts a sync and polls the user each 10 s until it is done', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  const polls = await watchPolls(page, '/api/user')
  const streamOpens = await watchOpenStream(page, host)
  host.on('POST /api/user/repos', { status: 204 })
  await go('/')
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  await streamOpens()
  const before = host.made('GET /api/user').length
  const listReads = host.made('GET /api/user/repos').length
  // The clock only advances when the test says so; in total less than the maximum silence of a
  // stream.
  await page.clock.pauseAt(Date.now() + 10_000)
  await streamOpens()
  const began = await page.evaluate(() => Date.now())
  await page.getByRole('button', { name: 'Sync' }).click()
  const busy = page.getByRole('button', { name: 'Syncing' })
  await expect(busy).toBeVisible()
  await expect(busy).toHaveAttribute('aria-busy', 'true')
  await expect(busy.locator('svg, [class*=spin]').first()).toBeVisible()
  await expect.poll(() => host.made('POST /api/user/repos')).toMatchObject([{ query: '?async=true', body: '' }])
  const requestCount = () => host.made('GET /api/user').length - before
  // Each response has a different avatar, so that its arrival is visible.
  const face = page.locator('a[href="/account"] img')
  for (const avatar of ['/favicon.svg?first', '/favicon.svg?second']) {
    signedInAs(host, { syncing: true, avatar })
    await polls.goOnToNext()
    await advanceClockUntil(
      page,
      async () => (await face.count()) > 0 && (await face.getAttribute('src')) === avatar,
      50,
    )
    await expect(busy).toBeVisible()
  }
  expect(requestCount()).toBe(2)
  expect(host.made('GET /api/user/repos')).toHaveLength(listReads)
  signedInAs(host, { syncing: false })
  host.on('GET /api/user/repos', ok(many(1)))
  await polls.goOnToNext()
  await advanceClockUntil(page, () => page.getByRole('button', { name: 'Sync', exact: true }).isVisible(), 50)
  await advanceClockUntil(
    page,
    async () => (await rows(page).first().textContent())?.includes('octocat/repo-000') ?? false,
  )
  const times = (await polls.times()).slice(-3)
  expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([10_000, 10_000])
  expect((times[0] ?? 0) - began).toBeGreaterThanOrEqual(10_000)
  expect(requestCount()).toBe(3)
  await page.clock.runFor(15_000)
  expect(requestCount()).toBe(3)
  // Nothing else was requested in the meantime.
  expect([...new Set(host.calls.map((call) => `${call.method} ${call.path}${call.query}`))].toSorted()).toEqual([
    'GET /api/stream',
    'GET /api/user',
    'GET /api/user/repos?latest=true',
    'POST /api/user/repos?async=true',
  ])
})

test('[S3.entities.1] [S4.states.31] a page opened during a sync shows it and polls as well @system', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  signedInAs(host, { syncing: true })
  await go('/')
  await expect(page.getByRole('button', { name: 'Syncing' })).toBeVisible()
  signedInAs(host, { syncing: false })
  await page.clock.runFor(10_500)
  await expect(page.getByRole('button', { name: 'Sync', exact: true })).toBeVisible()
  // Because the clock was changed, the event stream can seem late, which causes one more read.
  await expect.poll(() => host.made('GET /api/user/repos').length).toBeGreaterThanOrEqual(2)
})

test('[S8.toasts.15] [S4.states.30] a failed sync says so, at its start and while it is polled @system', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  const words = 'Sync error has occured, please, try again'
  host.on('POST /api/user/repos', fail(500, 'no'))
  await go('/')
  await page.getByRole('button', { name: 'Sync' }).click()
  await toastShows(page, words)
  await page.clock.runFor(4_000)
  await expect(page.getByText(words)).toHaveCount(0)
  host.on('POST /api/user/repos', { status: 204 })
  await page.getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByRole('button', { name: 'Syncing' })).toBeVisible()
  host.on('GET /api/user', fail(502, 'Bad Gateway'))
  await page.clock.runFor(10_500)
  await toastShows(page, words)
})

test('[S2.home.4] [S9.constants.3] fifty rows, then all @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok(many(120)))
  await go('/')
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows(page)).toHaveCount(120)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('[S2.home.6] [S2.home.5] [S9.constants.25] active first, newest build first, then slug; each row links to its page', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([
      data.repo({ id: 1, name: 'repo-c', active: false, build: data.build({ created: data.now }) }),
      data.repo({ id: 2, name: 'repo-b' }),
      data.repo({ id: 3, name: 'repo-a' }),
      data.repo({ id: 6, name: 'repo-x', build: data.build({ created: data.now - 50 }) }),
      data.repo({ id: 4, name: 'repo-z', build: data.build({ created: data.now - 10 }) }),
      data.repo({ id: 5, name: 'repo-y', build: data.build({ created: data.now - 10 }) }),
    ]),
  )
  await go('/')
  await expect(rows(page)).toHaveCount(6)
  const order = await rows(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(order).toEqual([
    '/octocat/repo-y',
    '/octocat/repo-z',
    '/octocat/repo-x',
    '/octocat/repo-a',
    '/octocat/repo-b',
    '/octocat/repo-c/settings',
  ])
})

test('[S2.home.3] filter by slug, and Active Only, which is remembered [F.dashboard.1] [F.dashboard.6] [F.keyboard.7]', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ name: 'Repo-One' }), data.repo({ id: 2, name: 'repo-two', active: false })]),
  )
  await go('/')
  await expect(rows(page)).toHaveCount(2)
  await filter(page).fill('  REPO-TW ')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('octocat/repo-two')
  await filter(page).fill('cat/repo-o')
  await expect(rows(page)).toContainText('octocat/Repo-One')
  await filter(page).fill('nothing like this')
  await expect(rows(page)).toHaveCount(0)
  await filter(page).fill('')
  await expect(page.getByRole('switch', { name: 'Active Only' })).not.toBeChecked()
  await page.getByText('Active Only', { exact: true }).click()
  await expect(page.getByRole('switch', { name: 'Active Only' })).toBeChecked()
  await expect(rows(page)).toHaveCount(1)
  // The filter appears in the URL a moment after typing.
  await expect(page).toHaveURL(`${host.origin}/`)
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Active Only' })).toBeChecked()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('octocat/Repo-One')
})

test('before the first build, people who can activate see the next step @system', async ({ page, host, go }) => {
  const next = page.getByText('Open a repository, activate it and run the first build.')
  for (const [admin, expected] of [
    [true, 1],
    [false, 0],
  ] as const) {
    host.on('GET /api/user/repos', ok(many(2, { active: false, build: undefined, permissions: { read: true, admin } })))
    await go('/')
    await expect(rows(page)).toHaveCount(2)
    await expect(next).toHaveCount(expected)
  }
  host.on('GET /api/user/repos', ok(many(2, { permissions: { read: true, admin: true }, build: data.build() })))
  await go('/')
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible()
  await expect(next).toHaveCount(0)
})

test('text typed into the filter right before leaving is not written into the next page’s URL, even if its code loads slowly @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on('GET /api/user/repos', ok([data.repo({ build: data.build() }), ...many(3)]))
  const { opened, open } = latch()
  await page.route('**/build-page-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await page.clock.install()
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.clock.pauseAt(Date.now() + 10_000)
  await filter(page).fill('repo-000')
  await expect(rows(page)).toHaveCount(1)
  const next = /\/octocat\/hello\/42\/1\/1#L2$/
  await follow(page, '/octocat/hello/42/1/1#L2')
  await page.clock.runFor(1_000)
  await expect(page).toHaveURL(next)
  // Going back immediately shows the filter, and it is written to the right URL.
  await page.goBack()
  await page.clock.runFor(300)
  await expect(page).toHaveURL(/\/\?filter=repo-000$/)
  // The next page's URL has no filter, but the page that stays until the next one is rendered does.
  await page.goForward()
  await expect(page).toHaveURL(next)
  await page.clock.runFor(1_000)
  await expect(filter(page)).toHaveValue('repo-000')
  open()
  await page.clock.resume()
  await expect(page.getByRole('log').getByText('line 2')).toBeVisible()
  await expect(page).toHaveURL(next)
})

test('[S2.home.7] [S9.constants.4] recent activity shows up to six with a build, the newest [F.dashboard.7] [F.dashboard.9] @system', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok(
      many(9).map((repo, index) => ({
        ...repo,
        build:
          index < 7
            ? data.build({ message: `Words ${index}`, created: data.now - 7200 + index, target: 'develop' })
            : undefined,
      })),
    ),
  )
  await go('/')
  const cards = page.getByRole('region', { name: 'Recent Activity' }).getByRole('link')
  await expect(cards).toHaveCount(6)
  expect(await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
    [6, 5, 4, 3, 2, 1].map((index) => `/octocat/repo-00${index}/42`),
  )
  const tops = new Set((await Promise.all([0, 1, 2].map((index) => box(cards.nth(index))))).map(({ y }) => y))
  expect(tops.size).toBe(1)
  await expect(list(page).getByRole('heading')).toContainText('9')
  await expect(rows(page).first()).toContainText('develop')
  await expect(rows(page).first()).toContainText('octocat')
})

test('[S2.home.9] [S2.home.10] red licence banners follow the two flags, and appear on no other page [F.banners.1] @system', async ({
  page,
  go,
}) => {
  const texts = {
    LICENSE_EXPIRED: 'Your Server License is Expired.',
    LICENSE_LIMIT_EXCEEDED: 'Your License Limit is Exceeded.',
  }
  await go('/')
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  for (const text of Object.values(texts)) await expect(page.getByText(text)).toHaveCount(0)
  await page.addInitScript(() => {
    for (const flag of location.hash.slice(1).split('+')) Object.assign(window, { [flag]: true })
  })
  for (const flags of [
    ['LICENSE_EXPIRED'],
    ['LICENSE_LIMIT_EXCEEDED'],
    ['LICENSE_EXPIRED', 'LICENSE_LIMIT_EXCEEDED'],
  ]) {
    await go(`/#${flags.join('+')}`)
    await page.reload()
    await expect(page.getByRole('link', { name: 'Learn more' })).toHaveCount(flags.length)
    for (const [flag, text] of Object.entries(texts))
      await expect(page.getByText(text)).toHaveCount(flags.includes(flag) ? 1 : 0)
  }
  const banner = page.getByRole('alert').filter({ hasText: texts.LICENSE_EXPIRED })
  await expect(banner.getByRole('link', { name: 'Learn more' })).toHaveAttribute('href', /^https:/)
  const [red, green, blue] = await banner.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('no canvas')
    canvas.fillStyle = getComputedStyle(element).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  })
  expect(Number(red)).toBeGreaterThan(2 * Number(green))
  expect(Number(red)).toBeGreaterThan(2 * Number(blue))
  await banner.getByRole('button', { name: 'Close' }).click()
  await expect(banner).toHaveCount(0)
  await page.reload()
  await expect(page.getByText(texts.LICENSE_LIMIT_EXCEEDED)).toBeVisible()
  await expect(banner).toHaveCount(0)
})

test('a list that fails says what failed and offers Retry; nothing retries automatically [F.dashboard.4] [F.errors.3]', async ({
  page,
  host,
  go,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  host.on('GET /api/user/repos', fail(500, 'the disk is full'))
  await go('/')
  await expect(page.getByText('the disk is full')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sync' })).toBeVisible()
  expect(host.made('GET /api/user/repos')).toHaveLength(1)
  host.on('GET /api/user/repos', ok(many(1)))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(rows(page)).toHaveCount(1)
  expect(errors).toEqual([])
})

test('ages tick [F.dashboard.5] [F.builds.2] @system', async ({ page, host, go }) => {
  const time = new Date('2026-01-01T12:00:00Z')
  const noon = time.getTime() / 1000
  host.time = () => time
  await page.clock.install({ time })
  const repo = data.repo({ build: data.build({ created: noon - 61, started: noon - 60, finished: noon - 30 }) })
  host
    .on('GET /api/user/repos', ok([repo]))
    .on('GET /api/repos/octocat/hello', ok(repo))
    .on('GET /api/repos/octocat/hello/builds', ok([repo.build]))
  await go('/')
  await expect(rows(page)).toContainText('1 minute ago')
  await page.clock.runFor(180_000)
  await expect(rows(page)).toContainText('4 minutes ago')
  await rows(page).click()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await expect(page.getByRole('main').getByText('4 minutes ago')).toHaveCount(2)
  await page.clock.runFor(120_000)
  await expect(page.getByRole('main').getByText('6 minutes ago')).toHaveCount(2)
})

test('a key goes to the search and to the dashboard [F.dashboard.8] @system', async ({ page, go }) => {
  await go('/builds-feed')
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
  // The code of the keys loads after the page's.
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search repositories, branches and builds')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByPlaceholder('Search repositories, branches and builds')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to the dashboard')
})

test('the list of shortcuts is fetched on demand, and opens when its code has loaded @system', async ({ page, go }) => {
  const { opened, open } = latch()
  let requestCount = 0
  await page.route('**/assets/shortcuts-*.js', async (route) => {
    requestCount += 1
    await opened
    await route.continue()
  })
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(requestCount).toBe(0)
  await page.keyboard.press('?')
  await expect.poll(() => requestCount).toBe(1)
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toHaveCount(0)
  open()
  await expect(keys).toContainText('Go to the dashboard')
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
})

test('controls show their focus [F.keyboard.1] @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok(many(1)))
  await go('/')
  await expect(rows(page)).toHaveCount(1)
  const seen = new Set<string>()
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    const name = await focused.evaluate((element) => element.outerHTML.slice(0, 80))
    const [style, width] = [await styleOf(focused, 'outline-style'), await styleOf(focused, 'outline-width')]
    expect(style, name).not.toBe('none')
    expect(Number.parseFloat(width), name).toBeGreaterThanOrEqual(2)
    seen.add(name)
    if (await rows(page).evaluate((row) => row === document.activeElement)) break
  }
  expect(seen.size).toBeGreaterThan(5)
})

test('several repositories are activated at once; those that failed stay, with the reason @system', async ({
  page,
  host,
  go,
}) => {
  const repos = many(5, { active: false, permissions: { read: true, write: true, admin: true } })
  repos[4] = data.repo({
    id: 5,
    name: 'not-mine',
    active: false,
    permissions: { read: true, write: true, admin: false },
  })
  host.on('GET /api/user/repos', ok(repos))
  for (const name of ['repo-001', 'repo-003'])
    host.on(`POST /api/repos/octocat/${name}`, ok(data.repo({ name, active: true })))
  host.on('POST /api/repos/octocat/repo-002', fail(500, 'disk quota'))
  await go('/')
  await page.getByRole('button', { name: 'Activate repositories…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate repositories' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(5)
  await expect(dialog.getByText('not-mine')).toHaveCount(0)
  await dialog.getByLabel('Filter').fill('repo-00')
  await dialog.getByLabel('Select all 4').check()
  await dialog.getByLabel('octocat/repo-000').uncheck()
  await dialog.getByRole('button', { name: 'Activate 3 repositories' }).click()
  await expect(page.getByText('2 repos have been enabled')).toBeVisible()
  await expect(dialog.getByText('disk quota')).toBeVisible()
  await expect(dialog.getByLabel('octocat/repo-001')).toHaveCount(0)
  await expect(dialog.getByLabel('octocat/repo-002')).toBeChecked()
  host.on('POST /api/repos/octocat/repo-002', ok(data.repo({ name: 'repo-002', active: true })))
  await dialog.getByRole('button', { name: 'Activate 1 repository' }).click()
  await toastShows(page, 'Repo has been successfully enabled')
  await expect(dialog).toHaveCount(0)
  expect(host.made('POST /api/repos/octocat/repo-000')).toHaveLength(0)
})

test('the list shows one organization, kept in the URL and remembered, with the count of each @system', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([
      ...many(3),
      ...many(2, { namespace: 'acme' }).map((repo, index) => ({ ...repo, id: 50 + index, slug: `acme/${repo.name}` })),
    ]),
  )
  await go('/')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('Shift')
  const owner = list(page).getByRole('combobox', { name: 'Organization' })
  await expect(owner.getByRole('option')).toHaveText(['All organizations', 'acme (2)', 'octocat (3)'])
  await owner.selectOption('acme')
  await expect(page).toHaveURL(/\?owner=acme$/)
  await expect(rows(page)).toHaveCount(2)
  await go('/')
  await expect(owner).toHaveValue('acme')
  await expect(rows(page)).toHaveCount(2)
  await owner.selectOption('')
  await expect(rows(page)).toHaveCount(5)
  await expect(page).toHaveURL(/\/$/)
  // A link overrides it.
  await go('/?owner=octocat')
  await expect(rows(page)).toHaveCount(3)
})
