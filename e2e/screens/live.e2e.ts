/** Live updates: events of `/api/stream`, a lost connection and a reconnect (specification §4). */
import type { Page } from '@playwright/test'
import type { Build } from '@flightdeck/api'
import { watchOpenStream } from '../support/open-stream.ts'
import { data, expect, fail, ok, signedInAs, test, withBuild, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const ended = (build: Build): Build => ({
  ...build,
  status: 'failure',
  finished: data.now,
  version: 9,
  stages: undefined,
})
const notify = (host: Host, build: Build, name = 'hello') =>
  host.push('/api/stream', { ...data.repo({ name }), version: 9, build })
const icon = (page: Page, status: string) => page.getByRole('main').getByRole('img', { name: status, exact: true })

test('[S4.states.32] [S4.states.33] [S7.calls.33] an event changes the repository list and its cards, and no other line of the page [F.events.4]', async ({
  page,
  host,
  go,
}) => {
  host.on(
    'GET /api/user/repos',
    ok([data.repo({ build: data.running() }), data.repo({ id: 2, name: 'other', build: data.build() })]),
  )
  await go('/')
  const row = (name: string) =>
    page.getByRole('region', { name: 'Repositories' }).getByRole('link').filter({ hasText: name })
  await expect(row('octocat/hello').getByRole('img', { name: 'running' })).toBeVisible()
  // They load at the first input, which can happen at any time.
  await page.mouse.move(1, 1)
  await expect(page.getByRole('group', { name: 'Show repositories' })).toBeVisible()
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await page.evaluate(() => {
    const touched: string[] = []
    new MutationObserver((changes) => {
      for (const { target, attributeName, oldValue } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        // The counts above the cards follow the event.
        if (element?.closest('[aria-label="Show repositories"]')) continue
        // React rewrites unchanged attributes, and names in two steps, which is not visible.
        if (attributeName === 'name' || (attributeName && element?.getAttribute(attributeName) === oldValue)) continue
        touched.push(element?.closest('main li')?.textContent ?? element?.tagName ?? '')
      }
    }).observe(document.querySelector('main') ?? document, {
      subtree: true,
      childList: true,
      attributeOldValue: true,
    })
    Object.assign(window, { touched })
  })
  await notify(host, { ...ended(data.running()), id: 99, number: 99 }, 'stranger')
  await notify(host, ended(data.running()))
  await expect(row('octocat/hello').getByRole('img', { name: 'failure' })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Recent Activity' }).getByRole('img', { name: 'failure' }),
  ).toBeVisible()
  await expect(page.getByText('stranger')).toHaveCount(0)
  const touched = await page.evaluate(() => ('touched' in window ? (window.touched as string[]) : []))
  expect(touched.length).toBeGreaterThan(0)
  expect(touched.filter((text) => !text.includes('octocat/hello'))).toEqual([])
})

test('[S2.routes.9] [S3.entities.11] [S4.states.33] [S4.states.34] [S7.calls.8] the feed lists recent builds; finished and declined ones leave', async ({
  page,
  host,
  go,
}) => {
  const item = (number: number, status: Build['status'] = 'running') => ({
    ...data.repo(),
    build: data.running({ id: number, number, status, message: `Change ${number}`, created: data.now - number }),
  })
  host.on('GET /api/user/builds/recent', ok([item(1), item(2), item(3, 'pending')]))
  // After a stream that took long to open, the page reads everything again.
  await page.clock.setFixedTime(Date.now())
  await go('/builds-feed')
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(3)
  await expect(page.getByRole('link', { name: /Change 1.*octocat\/hello/ })).toHaveAttribute('href', '/octocat/hello/1')
  await notify(host, { ...item(3).build, status: 'running', version: 5 })
  await expect(icon(page, 'running')).toHaveCount(3)
  await notify(host, ended(item(1).build))
  await expect(page.getByText('Change 1')).toHaveCount(0)
  await notify(host, { ...item(2).build, status: 'declined', version: 9 })
  await expect(page.getByText('Change 2')).toHaveCount(0)
  await notify(host, { ...item(4).build, message: 'Change 4' })
  await expect(page.getByText('Change 4')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(2)
  expect(host.made('GET /api/user/builds/recent')).toHaveLength(1)
})

test('the feed starts with all waiting and running builds, however many newer builds have finished @system', async ({
  page,
  host,
  go,
}) => {
  const repo = data.repo({ id: 2, name: 'slow' })
  const ran = [data.build({ message: 'Over' }), data.build({ id: 6, number: 41, status: 'declined', finished: 0 })]
  const old = data.running({ id: 3, number: 3, message: 'Still at it', created: data.now - 9_000 })
  host
    .on(
      'GET /api/user/builds/recent',
      ok([data.running({ id: 8, number: 43, message: 'New' }), ...ran].map((build) => ({ ...data.repo(), build }))),
    )
    .on('GET /api/user/repos', ok([data.repo(), { ...repo, build: old }]))
  await go('/builds-feed')
  const listed = (name: string) => page.getByRole('region', { name }).getByRole('link')
  await expect(listed('Queued and running')).toHaveText([/New/, /Still at it.*octocat\/slow #3/])
  await expect(listed('Recently finished')).toHaveText([/Over/, /#41/])
})

test('[S4.states.33] an event changes the builds list; a new build appears at the top @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, {}, [data.running(), data.build({ id: 6, number: 41 })])
  // After a stream that took long to open, the page reads everything again.
  await page.clock.setFixedTime(Date.now())
  await go('/octocat/hello')
  await expect(icon(page, 'running')).toHaveCount(1)
  await notify(host, ended(data.running()))
  await expect(icon(page, 'failure')).toHaveCount(1)
  await notify(host, data.running({ id: 8, number: 43, message: 'Brand new' }))
  await expect(page.getByRole('region', { name: 'Executions' }).getByRole('listitem').first()).toContainText(
    'Brand new',
  )
  await notify(host, data.running({ id: 50, number: 50, message: 'Elsewhere' }), 'other')
  await notify(host, { ...data.running({ id: 8, number: 43, message: 'Brand new' }), status: 'success', version: 9 })
  await expect(icon(page, 'running')).toHaveCount(0)
  await expect(page.getByText('Elsewhere')).toHaveCount(0)
  expect(host.made('GET /api/repos/octocat/hello/builds')).toHaveLength(1)
})

for (const tail of ['', '/1', '/1/1'])
  test(`[S4.states.33] the build page at ${tail || 'the bare number'} follows the events of its build [F.build.5]${tail === '/1' ? '' : ' @system'}`, async ({
    page,
    host,
    go,
  }) => {
    const build = data.running()
    withBuild(host, build)
    await go(`/octocat/hello/42${tail}`)
    const banner = page.getByRole('status', { name: 'Build status' })
    await expect(banner).toContainText('running')
    await notify(host, { ...ended(build), number: 41, id: 6 })
    await notify(host, {
      ...ended(build),
      stages: [
        data.stage({
          status: 'failure',
          version: 9,
          steps: [data.step({ status: 'failure', exit_code: 7, version: 9 })],
        }),
      ],
    })
    await expect(banner).toContainText('failure')
    await expect(page.getByText('Exit Code 7')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
    await expect(page.getByText('line 3')).toBeVisible()
  })

const lost = (page: Page) => page.getByText(/connection lost/i)

test('[S4.states.35] a lost connection is shown quietly; afterwards all data is current again [F.events.1] [F.events.2] @system', async ({
  page,
  host,
  go,
}) => {
  test.setTimeout(90_000)
  const repo = data.repo({ build: data.running() })
  withBuild(host, data.running())
  host.on('GET /api/user/repos', ok([repo])).on('GET /api/user/builds/recent', ok([repo]))
  const after = {
    ...data.detail({ status: 'success', version: 9 }),
    stages: [data.stage({ version: 9, steps: [data.step({ version: 9 })] })],
  }
  for (const [path, begins, ends] of [
    ['/', 'running', 'success'],
    ['/octocat/hello', 'running', 'success'],
    ['/octocat/hello/42/1/1', 'running', 'success'],
  ] as const) {
    withBuild(host, data.running())
    host.on('GET /api/user/repos', ok([repo]))
    await go(path)
    await expect(icon(page, begins).first()).toBeVisible()
    await host.reader('/api/stream')
    host.cutStreams(502)
    await expect(lost(page)).toBeVisible()
    // The page still works meanwhile.
    await expect(icon(page, begins).first()).toBeVisible()
    withBuild(host, after)
    host.on('GET /api/user/repos', ok([data.repo({ version: 9, build: after })]))
    host.cutStreams(200)
    await host.reader('/api/stream')
    await expect(icon(page, ends).first()).toBeVisible()
    await expect(icon(page, begins)).toHaveCount(0)
    await expect(lost(page)).toHaveCount(0)
  }
})

test('reads that failed during a lost connection are repeated once after it @system', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true })
  const home = '/api/repos/octocat/hello'
  host.on(`GET ${home}/secrets`, ok([{ id: 1, name: 'token', data: '' }]))
  const steps = [
    // The page requests both at the same time, and shows the builds once it has the repository.
    {
      from: '/',
      link: /octocat\/hello/,
      reads: [home, `${home}/builds`],
      shown: page.locator('main a[href$="/octocat/hello/42"]').first(),
    },
    {
      from: '/octocat/hello/settings',
      link: 'Secrets',
      reads: [`${home}/secrets`],
      shown: page.getByText('token', { exact: true }),
    },
  ]
  for (const { from, link, reads, shown } of steps) {
    await go(from)
    await host.reader('/api/stream')
    host.cutStreams(502)
    const readUrls = new RegExp(home)
    await page.route(readUrls, (route) => route.abort())
    // Or the page notices the server, and reads before its stream is back and again afterwards.
    await page.route('**/version', (route) => route.abort())
    await expect(lost(page)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: link }).last().click()
    await expect(page.getByText(/could not be loaded/)).toBeVisible()
    const before = host.calls.length
    await page.unroute(readUrls)
    host.cutStreams(200)
    await expect(shown).toBeVisible()
    await expect(page.getByText(/could not be loaded/)).toHaveCount(0)
    const requestedPaths = host.calls.slice(before).map(({ path }) => path)
    for (const path of reads)
      expect(
        requestedPaths.filter((requestedPath) => requestedPath === path),
        path,
      ).toHaveLength(1)
    await page.unrouteAll()
  }
})

test('[S7.calls.3] a failed read is not retried automatically, and a window that gets the focus fetches nothing @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on('GET /api/repos/octocat/hello/builds/branches', fail(500, 'no branches today'))
  await page.clock.install()
  const streamOpens = await watchOpenStream(page, host)
  /**
   * What the page asks for at this moment has arrived: if its stream took more than three seconds
   * to open, it reads everything again, and a retry would follow the response to its own check of
   * the server.
   */
  const readsAreIn = async () => {
    for (let round = 0; round < 3; round += 1) await page.evaluate(() => fetch('/version'))
  }
  /** The clock is paused at a heartbeat: on a busy machine, the stream would seem silent. */
  const pause = async () => {
    await streamOpens()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
    await streamOpens()
    await readsAreIn()
  }
  await go('/octocat/hello/branches')
  await expect(page.getByText('no branches today')).toBeVisible()
  await pause()
  const before = host.calls.length
  for (const name of ['focus', 'visibilitychange', 'online', 'pageshow'])
    await page.evaluate((type) => {
      window.dispatchEvent(new Event(type))
      document.dispatchEvent(new Event(type))
    }, name)
  await page.clock.runFor(60_000)
  await readsAreIn()
  expect(host.calls.slice(before).map((call) => call.path)).toEqual([])
  await page.clock.resume()
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  await pause()
  const then = host.calls.length
  await page.clock.runFor(60_000)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.clock.runFor(1_000)
  expect(host.calls.slice(then).map((call) => call.path)).toEqual([])
})

test('changes of a build between its read and the opening of the stream are shown @system', async ({
  page,
  host,
  go,
}) => {
  const build = data.running()
  withBuild(host, build)
  host.cutStreams(503)
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  host.on('GET /api/repos/octocat/hello/builds/42', ok({ ...build, ...ended(build), stages: build.stages }))
  host.cutStreams(200)
  await expect(page.getByRole('button', { name: 'Actions' })).toBeVisible()
})
