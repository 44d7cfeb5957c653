/** Loading, failed and empty states of every region. */
import type { Page } from '@playwright/test'
import {
  box,
  data,
  latch,
  expect,
  fail,
  ok,
  ours,
  rest,
  signedInAs,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'
import { layoutShiftsOf, watchLayoutShifts } from '../support/layout-shifts.ts'
import { full, screens } from '../support/tour.ts'

const repo = '/api/repos/octocat/hello'
const errorsOf = (page: Page): string[] => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

test('the end of a log appears without a jump, also when the lines above it load', async ({ page, host, go }) => {
  withBuild(host, data.detail({ status: 'success', stages: [data.stage({ status: 'success' })] }))
  host.on(`GET ${repo}/builds/42/logs/1/1`, ok(data.lines(400)))
  await watchLayoutShifts(page)
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42')
    const lines = page.getByRole('log').locator('[data-line]')
    await expect(lines.last()).toBeInViewport()
    // First the lines near the viewport, then all of the last 250.
    await expect(lines).toHaveCount(250)
    const { score, jumps } = await layoutShiftsOf(page)
    expect(score, jumps.join('\n')).toBeLessThan(0.02)
  }
})

test('if the fonts load last, nearly nothing moves', async ({ page, host }) => {
  full(host)
  await watchLayoutShifts(page)
  // The pages that moved most.
  const wordy = ['/settings/users', '/octocat/hello/settings', '/octocat/hello/settings/secrets']
  for (const { path, shows } of screens.filter((screen) => wordy.includes(screen.path))) {
    const { opened, open } = latch()
    await page.route('**/*.woff2', async (route) => {
      await opened
      await route.continue()
    })
    await page.setViewportSize({ width: 390, height: 800 })
    // A page counts as loaded only with its fonts.
    await page.goto(host.origin + path, { waitUntil: 'commit' })
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
    const before = (await layoutShiftsOf(page)).score
    open()
    await page.evaluate(async () => void (await document.fonts.ready))
    await rest(page)
    const { score, jumps } = await layoutShiftsOf(page)
    // One line of a text may wrap differently; with a fallback of different metrics all of them
    // would.
    expect.soft(score - before, `${path}: ${jumps.join('\n')}`).toBeLessThan(0.01)
    await page.unroute('**/*.woff2')
  }
})

for (const width of [1440, 768])
  test(`nothing moves when the details load late, or a canceled build ends, at ${width} px [F.dashboard.3]`, async ({
    browser,
    host,
  }) => {
    const context = await browser.newContext({ hasTouch: width < 1440, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const { opened, open } = latch()
    const { opened: cancelled, open: cancel } = latch()
    withBuild(host, data.running())
    const killed = data.detail({
      status: 'killed',
      stages: [data.stage({ status: 'killed' })],
      canceled_by: 'wes',
      canceled: data.now,
    })
    signedInAs(host, ours)
      .on(`GET ${repo}/builds/42/details`, async () => {
        await opened
        return ok({
          file: { path: '.drone.yml', commit: data.build().after, text: 'kind: pipeline\n'.repeat(60) },
          attempts: [data.build(), data.build({ id: 6, number: 41 })],
        })
      })
      .on(`DELETE ${repo}/builds/42`, async () => {
        await cancelled
        host.on(`GET ${repo}/builds/42`, ok(killed))
        return ok(data.build({ status: 'killed' }))
      })
    await page.goto(`${host.origin}/octocat/hello/42/1/1`)
    await page.getByRole('button', { name: 'Details' }).click()
    const drawer = page.getByRole('dialog', { name: 'Build #42 details' })
    await expect(drawer.getByRole('region', { name: 'Parameters' })).toBeVisible()
    await rest(page)
    const place = await box(drawer)
    expect(place).toMatchObject({ y: 0, height: 900 })
    expect(place.x + place.width).toBe(width)
    open()
    await expect(drawer.getByRole('region', { name: 'Contents of .drone.yml' })).toBeVisible()
    expect(await box(drawer)).toEqual(place)
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    const stages = page.getByRole('navigation', { name: 'Pipeline stages' })
    const before = await box(stages)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    cancel()
    await expect(page.getByRole('button', { name: 'Restart', exact: true })).toBeVisible()
    await expect(page.getByText('Canceled by wes')).toBeVisible()
    await rest(page)
    // Not the browser's own measure, which ignores shifts within half a second after an input: the
    // distance relative to the window.
    const moved = Math.abs((await box(stages)).y - before.y)
    expect((moved / 900) * (before.height / 900)).toBeLessThan(0.02)
    await context.close()
  })

test('the server’s list replaces that of the last visit without a jump [F.dashboard.3]', async ({ page, host, go }) => {
  full(host)
  await watchLayoutShifts(page)
  await go('/')
  await expect(page.getByText('octocat/hello').first()).toBeVisible()
  const answer = host.answerTo('GET /api/user/repos')
  for (const width of [390, 640, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { opened, open } = latch()
    host.on('GET /api/user/repos', async (call) => {
      await opened
      return answer(call)
    })
    await go('/')
    await expect(page.getByRole('status').filter({ hasText: 'Showing data from your last visit' })).toBeAttached()
    await expect(page.getByRole('region', { name: /Repositories/ }).getByRole('link')).toHaveCount(1)
    open()
    await expect(page.getByRole('status').filter({ hasText: 'Showing data from your last visit' })).toHaveCount(0)
    const { score, jumps } = await layoutShiftsOf(page)
    expect(score, `${width} px: ${jumps.join('\n')}`).toBeLessThan(0.02)
  }
})

const failing = [
  { path: '/', read: '/api/user/repos', stays: 'Dashboard', empty: 'Your Repository List is Empty.' },
  {
    path: '/builds-feed',
    read: '/api/user/builds/recent',
    stays: 'Builds feed',
    empty: 'It looks a little empty here!',
  },
  { path: '/octocat/hello', read: repo, stays: 'hello', empty: undefined },
  { path: '/octocat/hello', read: `${repo}/builds`, stays: 'Deployments', empty: 'Your Build List is Empty.' },
  {
    path: '/octocat/hello/branches',
    read: `${repo}/builds/branches`,
    stays: 'Deployments',
    empty: 'Your Branch List is Empty.',
  },
  {
    path: '/octocat/hello/deployments',
    read: `${repo}/builds/deployments`,
    stays: 'Branches',
    empty: 'Your Deployment List is Empty.',
  },
  {
    path: '/octocat/hello/pulls',
    read: `${repo}/builds/pulls`,
    stays: 'Branches',
    empty: 'Your Pull Request List is Empty.',
  },
  {
    path: '/octocat/hello/settings/secrets',
    read: `${repo}/secrets`,
    stays: 'Add secret',
    empty: 'It looks a little empty here!',
  },
  {
    path: '/octocat/hello/settings/cron',
    read: `${repo}/cron`,
    stays: 'Add cron job',
    empty: 'It looks a little empty here!',
  },
  { path: '/settings/users', read: '/api/users', stays: 'New user', empty: 'It looks a little empty here!' },
]

test('[S2.other.2] a failed list says what failed, and the rest works; Retry loads it; an empty one says so [F.errors.4] [F.errors.5]', async ({
  page,
  host,
  go,
}) => {
  test.setTimeout(120_000)
  const errors = errorsOf(page)
  for (const { path, read, stays, empty } of failing) {
    withRepo(host)
    signedInAs(host, { admin: true })
    host.on('GET /api/users', ok([]))
    const before = host.answerTo(`GET ${read}`)
    host.on(`GET ${read}`, fail(500, 'the disk is full'))
    await go(path)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('could not be loaded: the disk is full')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(page.getByRole('main').getByText(stays).first(), path).toBeVisible()
    const requestCount = host.made(`GET ${read}`).length
    host.on(`GET ${read}`, empty ? ok([]) : before)
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(empty ?? 'Executions')).toBeVisible()
    await expect.poll(() => host.made(`GET ${read}`).length).toBe(requestCount + 1)
  }
  expect(errors).toEqual([])
})

test('[S8.pages.2] [S8.pages.3] [S2.build.7] a build that fails to load shows the reason in the frame, or a likely one; the log can fail alone', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${repo}/builds/42`, fail(500, 'a strange fault'))
  await go('/octocat/hello/42')
  await expect(page.getByRole('alert')).toHaveText(/^a strange fault/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  withBuild(host)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('line 3')).toBeVisible()
  host.on(`GET ${repo}/builds/42/logs/1/1`, fail(500, 'the log is gone'))
  await go('/octocat/hello/42')
  await expect(page.getByRole('log').getByText('the log is gone')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Fix the parser' })).toBeVisible()
  withBuild(host)
  await page.getByRole('log').getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('line 3')).toBeVisible()
})

test('[S2.other.2] a build without stages and a feed without builds say so', async ({ page, host, go }) => {
  withBuild(host, data.detail({ stages: [] }))
  await go('/octocat/hello/42')
  await expect(page.getByRole('navigation', { name: 'Pipeline stages' })).toContainText('It looks a little empty here!')
  await expect(page.getByText('0 stages', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Graph View' }).click()
  // Until the graph's code has loaded the log view stays, with the same texts.
  await expect(page.getByRole('log')).toHaveCount(0)
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
})

test('the account page and the search show their errors as well, and recover', async ({ page, host, go }) => {
  host.on('POST /api/user/token', fail(500, 'no token today')).on('GET /api/user/repos', fail(500, 'no list today'))
  await go('/account')
  await expect(page.getByRole('alert')).toContainText('Your token could not be loaded: no token today')
  await expect(page.getByRole('link', { name: 'Logout' })).toBeVisible()
  await page.getByRole('button', { name: 'Search' }).click()
  const drawer = page.getByRole('dialog', { name: 'Search' })
  await expect(drawer.getByRole('alert')).toContainText('The repositories could not be loaded: no list today')
  host.on('GET /api/user/repos', ok([data.repo()]))
  await drawer.getByRole('button', { name: 'Retry' }).click()
  await drawer.getByRole('textbox', { name: 'Search' }).fill('hello')
  await expect(drawer.getByRole('link')).toHaveCount(1)
  await page.keyboard.press('Escape')
  host.on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('drone info')).toBeVisible()
})

test('an invalid response breaks its region and nothing else [F.errors.5]', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`GET ${repo}/builds/branches`, ok([null])).on(`GET ${repo}/secrets`, ok([7, null]))
  for (const path of ['/branches', '/settings/secrets']) {
    await go(`/octocat/hello${path}`)
    await expect(page.getByRole('alert')).toContainText('Unexpected response from the server')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Repository' }).getByRole('link', { name: 'Deployments' }).click()
    await expect(page.getByText('Your Deployment List is Empty.')).toBeVisible()
  }
})
