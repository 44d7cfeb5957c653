/** A session that ended elsewhere, a dead connection, a browser without storage, a wrong clock. */
import { watchOpenStream } from '../support/open-stream.ts'
import { data, latch, expect, fail, ok, signedOut, test, withBuild, withRepo } from '../support/screens.ts'

const lost = /connection lost/i

test('a session that ends elsewhere is shown immediately, and signing in returns to the same page', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello/branches?x=1')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  await host.reader('/api/stream')
  // The server ends the streams of an ended session; a guest can open another one.
  signedOut(host)
  host.cutStreams()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByText('You are signed out.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Continue' })).toBeVisible()
  await expect(page.getByRole('link', { name: '/octocat/hello/branches?x=1' })).toBeVisible()
  // No remaining page needs events.
  await expect.poll(() => host.readers('/api/stream')).toBe(0)
  host.on('GET /api/user', ok(data.user()))
  await go('/')
  await expect(page).toHaveURL(/\/octocat\/hello\/branches\?x=1$/)
})

test('another person who signs in is not sent to the first one’s page', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/branches')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  await host.reader('/api/stream')
  signedOut(host)
  host.cutStreams()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  host.on('GET /api/user', ok(data.user({ id: 2, login: 'hubot' })))
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
})

test('each reconnect reads the signed-in user first, before anything else', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  await host.reader('/api/stream')
  const before = host.calls.length
  host.cutStreams()
  await host.reader('/api/stream')
  await expect.poll(() => host.calls.slice(before).map(({ path }) => path)).toContain('/api/repos/octocat/hello')
  const paths = host.calls.slice(before).map(({ path }) => path)
  expect(paths.slice(0, 2)).toEqual(['/api/stream', '/api/user'])
  // A different person is signed in: the page reloads, and shows nothing of the first one.
  await page.evaluate(() => Object.assign(window, { first: true }))
  host.on('GET /api/user', ok(data.user({ id: 2, login: 'hubot', admin: true })))
  host.cutStreams()
  const rail = page.getByRole('navigation', { name: 'Main' })
  await expect(rail.getByRole('link', { name: 'Settings' })).toBeVisible()
  expect(await page.evaluate(() => 'first' in window)).toBe(false)
})

test('a stream that is silent for 65 s is reopened, a ping keeps it open', async ({ page, host, go }) => {
  withRepo(host)
  await page.clock.install()
  const heartbeat = await watchOpenStream(page, host)
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  await heartbeat()
  // The clock is paused from here on: on a busy machine it would continue between two steps.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  const opened = () => host.calls.filter(({ path }) => path === '/api/stream').length
  const reads = () => host.made('GET /api/repos/octocat/hello').length
  for (const _ of [1, 2]) {
    await heartbeat()
    await page.clock.runFor(64_999)
    await page.evaluate(() => fetch('/version'))
    expect(opened()).toBe(1)
  }
  const before = reads()
  await page.clock.runFor(1)
  await page.clock.resume()
  await expect.poll(opened).toBe(2)
  // Data that may have been missed is read again.
  await expect.poll(reads).toBeGreaterThan(before)
  await expect(page.getByText(lost)).toHaveCount(0)
})

test('a malformed event does not affect other events', async ({ page, host, go }) => {
  const build = data.running()
  withBuild(host, build)
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  const repo = { ...data.repo(), version: 9 }
  const malformed = [
    { ...repo, build: { ...build, version: 8, stages: 5 } },
    { ...repo, build: { ...build, version: 8, stages: [null] } },
    { ...repo, build: { ...build, version: 8, message: { text: 'x' } } },
    { ...repo, build: null },
    7,
  ]
  await host.reader('/api/stream')
  for (const event of malformed) await host.push('/api/stream', event)
  await host.push('/api/stream', { ...repo, build: { ...build, status: 'failure', finished: data.now, version: 9 } })
  for (const event of malformed) await host.push('/api/stream', event)
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('failure')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const [name, wrong] of [
  ['an object', {}],
  ['a text', 'hello'],
  ['a list of nothing', [null]],
  ['a list of other things', [{ hello: 1 }]],
] as const)
  test(`a 200 that is ${name} shows an error, and Retry sends the request again`, async ({ page, host, go }) => {
    withBuild(host)
    host.on('GET /api/repos/octocat/hello/builds', ok(wrong)).on('GET /api/user/repos', ok(wrong))
    const engine = /undefined|null|not a function|cannot read|iterable|\[object/i
    for (const path of ['/octocat/hello', '/']) {
      await go(path)
      await expect(page.getByRole('alert')).toContainText('Unexpected response from the server')
      expect(await page.locator('body').innerText()).not.toMatch(engine)
    }
    host.on('GET /api/user/repos', ok([data.repo()]))
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('link', { name: /octocat\/hello/ }).first()).toBeVisible()
  })

test('a browser without storage and without messages between tabs breaks no page', async ({ page, host, go }) => {
  withBuild(host, data.running())
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel'])
      Object.defineProperty(window, name, { get: refuse })
    Object.defineProperty(Navigator.prototype, 'locks', { get: refuse })
    Object.assign(window, { LICENSE_EXPIRED: true })
  })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await go('/')
  await expect(page.getByText('Your Server License is Expired.')).toBeVisible()
  await expect(page.getByRole('link', { name: /octocat\/hello/ }).first()).toBeVisible()
  for (const path of ['/octocat/hello', '/octocat/hello/settings', '/account', '/builds-feed']) {
    await go(path)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  }
  await go('/octocat/hello/42')
  const banner = page.getByRole('status', { name: 'Build status' })
  await expect(banner).toContainText('running')
  const ended = { ...data.running(), status: 'failure' as const, finished: data.now, version: 9 }
  withBuild(host, ended)
  await host.push('/api/stream', { ...data.repo(), version: 9, build: ended })
  await expect(banner).toContainText('failure')
  signedOut(host)
  host.cutStreams()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  await go('/octocat/hello')
  await expect(page.getByRole('link', { name: 'Continue' })).toBeVisible()
  expect(errors).toEqual([])
})

for (const [name, key, text] of [
  ['a list of other things', 'kept-repos', '{"server":"ORIGIN","user":1,"login":"octocat","total":1,"repos":[null]}'],
  ['a list with other builds', 'kept-repos', '{"server":"ORIGIN","user":1,"login":"octocat","total":1,"repos":[REPO]}'],
  ['half an address', 'return-address', '% /octocat/hello'],
  ['an address elsewhere', 'return-address', ' /\t/evil.example'],
] as const)
  test(`with ${name} in storage the dashboard is still shown`, async ({ page, host, go }) => {
    const waiting = latch()
    const repo = { ...data.repo(), build: { ...data.build(), stages: 5, message: {} } }
    host.on('GET /api/user/repos', async () => {
      await waiting.opened
      return ok([data.repo()])
    })
    await page.addInitScript(
      ([name, value]) => {
        for (const storage of [localStorage, sessionStorage])
          storage.setItem(`flightdeck.${name}`, value.replace('ORIGIN', location.origin))
      },
      [key, text.replace('REPO', JSON.stringify(repo))] as const,
    )
    await go('/')
    await expect(page.getByText('Loading repositories')).toBeVisible()
    waiting.open()
    await expect(page.getByRole('link', { name: /octocat\/hello/ })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page).toHaveURL(`${host.origin}/`)
  })

for (const [name, hours] of [
  ['behind', -3],
  ['ahead', 3],
] as const)
  test(`ages and durations use the server’s time if the browser’s clock is ${name}`, async ({ page, host, go }) => {
    const now = Math.floor(Date.now() / 1000)
    await page.clock.install({ time: Date.now() + hours * 3_600_000 })
    const build = data.running({ created: now - 605, started: now - 605 })
    withBuild(host, {
      ...build,
      stages: [data.stage({ status: 'running', started: now - 605, stopped: 0, steps: [] })],
    })
    host.on('GET /api/user/repos', ok([data.repo({ build })]))
    await go('/')
    await expect(page.getByRole('region', { name: 'Repositories' })).toContainText('10 minutes ago')
    await go('/octocat/hello/42')
    await expect(
      page
        .getByRole('main')
        .getByText(/^10m \d\ds$/)
        .first(),
    ).toBeVisible()
  })

for (const [name, file, path] of [
  ['log', /\/worker-[\w-]*\.js$/, '/octocat/hello/42/1/1'],
  ['graph', /layout-worker-[\w-]*\.js$/, '/octocat/hello/42'],
] as const)
  test(`if the file of the ${name}’s worker is missing, the page says so and offers to reload`, async ({
    page,
    host,
    go,
  }) => {
    const stages = Array.from({ length: 40 }, (_, index) =>
      data.stage({ id: index + 1, number: index + 1, name: `stage ${index + 1}` }),
    )
    withBuild(host, data.detail({ stages }))
    const isRemovedFile = (url: URL) => file.test(url.pathname)
    await page.route(isRemovedFile, (route) => route.fulfill({ status: 404, body: 'Not Found' }))
    await go(path)
    if (name === 'graph') await page.getByRole('button', { name: 'Graph View' }).click()
    const updateAlert = page.getByRole('alert').filter({ hasText: 'Flightdeck has probably been updated' })
    await expect(updateAlert).toBeVisible()
    await page.unroute(isRemovedFile)
    await updateAlert.getByRole('button', { name: 'Reload' }).click()
    await expect(updateAlert).toHaveCount(0)
    if (name === 'log') await expect(page.getByText('line 3')).toBeVisible()
    else await expect(page.getByRole('link', { name: /stage 40/ }).first()).toBeVisible()
  })

test('if the files of the search workers are missing, the search says so', async ({ page, host, go }) => {
  withBuild(host)
  await go('/octocat/hello/42/1/1')
  await expect(page.getByText('line 3')).toBeVisible()
  await page.route(/(pattern|build-search)-worker-[\w-]*\.js$/, (route) => route.abort())
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('line')
  const updateText = page.getByText(/Flightdeck has probably been updated/)
  await page.getByRole('combobox', { name: 'Find in' }).selectOption('This build')
  await expect(updateText).toHaveCount(1)
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await expect(updateText).toHaveCount(2)
})

test('a page from the back-forward cache reads the signed-in user before it is shown', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  const latched = latch()
  host.on('GET /api/user', async () => {
    await latched.opened
    return fail(401, 'Unauthorized')
  })
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByText('Executions')).toBeHidden()
  latched.open()
  await expect(page.getByText('You are signed out.')).toBeVisible()
})
