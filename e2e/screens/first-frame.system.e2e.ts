/** What is visible before the code has loaded: the frame of the page in the URL. */
import type { Page } from '@playwright/test'
import type { Host } from '../support/host.ts'
import { data, latch, expect, follow, notFound, ok, test, withBuild } from '../support/screens.ts'
import { full } from '../support/tour.ts'

/** Delays scripts and style sheets until the returned function is called. */
async function slowCode(page: Page, files = '**/assets/*'): Promise<() => void> {
  const { opened, open } = latch()
  await page.route(files, async (route) => {
    await opened
    await route.continue()
  })
  return open
}

/** The positions of the main edges: the bottom of the header, the first card, the list. */
const edges = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const seen = [...document.querySelectorAll('#root *')].filter((element) => element.checkVisibility())
    const lined = (element: Element, side: 'Bottom' | 'Top') =>
      getComputedStyle(element)[`border${side}Width`] === '1px'
    const place = (element: Element | undefined) => element?.getBoundingClientRect() ?? new DOMRect(-1, -1, -1, -1)
    const head = place(seen.find((element) => lined(element, 'Bottom') && place(element).width > innerWidth / 2))
    const cards = seen.filter(
      (element) => lined(element, 'Bottom') && lined(element, 'Top') && place(element).width > 200,
    )
    const first = place(cards[0])
    const list = place(cards.findLast((element) => place(element).height > 400))
    const edges = { head: head.bottom, card: first.top, left: first.left, right: first.right, list: list.top }
    return Object.fromEntries(Object.entries(edges).map(([name, edge]) => [name, Math.round(edge)]))
  })

/** Enough repositories to fill the window, because their number decides where the list starts. */
function many(host: Host): void {
  full(host)
  const numbers = Array.from({ length: 12 }, (_, index) => 42 - index)
  const builds = numbers.map((number) => data.build({ id: number, number }))
  const repos = builds.map((build) => ({
    ...data.repo({ id: build.id, name: `hello-${build.number}`, slug: `octocat/hello-${build.number}` }),
    build,
  }))
  host.on('GET /api/repos/octocat/hello/builds', ok(builds)).on('GET /api/user/repos', ok(repos))
}

for (const { width, hasTouch } of [
  { width: 1440, hasTouch: false },
  { width: 768, hasTouch: false },
  { width: 390, hasTouch: false },
  { width: 390, hasTouch: true },
]) {
  test.describe(`at ${width}${hasTouch ? ' with a finger' : ''}: nothing moves when a page replaces its skeleton`, () => {
    test.use({ hasTouch, isMobile: hasTouch, viewport: { width, height: 900 } })
    for (const { name, address, shown } of [
      { name: 'dashboard', address: '/', shown: 'Recent Activity' },
      { name: 'builds page', address: '/octocat/hello', shown: 'Total Builds' },
    ]) {
      test(name, async ({ page, host }) => {
        many(host)
        const open = await slowCode(page)
        await page.goto(`${host.origin}${address}`, { waitUntil: 'commit' })
        await expect(page.locator('.frame')).toBeVisible()
        const before = await edges(page)
        expect(Math.min(...Object.values(before))).toBeGreaterThan(0)
        open()
        await expect(page.getByText(shown)).toBeVisible()
        await expect(page.locator('.frame')).toHaveCount(0)
        expect(await edges(page)).toEqual(before)
      })
    }
  })
}

test('a build’s frame has the console, in its color, at its final position', async ({ page, host }) => {
  withBuild(host)
  host.on('GET /api/repos/octocat/hello/builds/42/logs/1/1', ok(data.lines(30)))
  const open = await slowCode(page)
  await page.goto(`${host.origin}/octocat/hello/42`, { waitUntil: 'commit' })
  const pane = page.locator('.frame .bg-console')
  await expect(pane).toBeVisible()
  const before = await pane.boundingBox()
  open()
  const console = page.getByRole('log')
  await expect(console).toContainText('line 30')
  const after = await console.boundingBox()
  expect(after?.x).toBeLessThan((before?.x ?? 0) + 12)
  expect(after?.x).toBeGreaterThanOrEqual(before?.x ?? Number.NaN)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the frame has the page’s colors from the start, ${colorScheme}`, async ({ page, host }) => {
    full(host)
    await page.emulateMedia({ colorScheme })
    const open = await slowCode(page)
    await page.goto(`${host.origin}/`, { waitUntil: 'commit' })
    await expect(page.locator('.frame')).toBeVisible()
    // Compares pixels, because two style sheets can write the same color in different ways.
    const colours = () =>
      page.evaluate(() =>
        ['html', 'nav, .frame > :first-child'].map((place) => {
          const context = new OffscreenCanvas(1, 1).getContext('2d')
          const element = document.querySelector(place)
          if (!context || !element) return ''
          context.fillStyle = getComputedStyle(element).backgroundColor
          context.fillRect(0, 0, 1, 1)
          return context.getImageData(0, 0, 1, 1).data.join(' ')
        }),
      )
    const before = await colours()
    expect(new Set(before).size).toBe(2)
    open()
    await expect(page.getByText('Recent Activity')).toBeVisible()
    expect(await colours()).toEqual(before)
  })
}

for (const [address, reads] of [
  ['/octocat/hello', ['/api/repos/octocat/hello', '/api/repos/octocat/hello/builds', '/api/user']],
  ['/octocat/hello/42', ['/api/repos/octocat/hello', '/api/repos/octocat/hello/builds/42', '/api/user']],
  ['/', ['/api/user', '/api/user/repos']],
] as const) {
  test(`the first reads of ${address} are requested once, before its code has loaded`, async ({ page, host }) => {
    many(host)
    const open = await slowCode(page)
    await page.goto(`${host.origin}${address}`, { waitUntil: 'commit' })
    const requestedPaths = () => host.calls.map(({ path }) => path).filter((path) => path.startsWith('/api/'))
    await expect.poll(() => requestedPaths().toSorted()).toEqual([...reads])
    open()
    await expect(page.getByText('Fix the parser').first()).toBeVisible()
    for (const path of reads)
      expect(
        requestedPaths().filter((requestedPath) => requestedPath === path),
        path,
      ).toHaveLength(1)
  })
}

/** The names of the files below `/assets` that the page requests. */
function watchFiles(page: Page): string[] {
  const files: string[] = []
  page.on('request', (request) => {
    const name = /\/assets\/(.+)$/.exec(new URL(request.url()).pathname)?.[1]
    if (name) files.push(name)
  })
  return files
}

for (const [address, code] of [
  ['/', /^index-.*\.js$/],
  ['/octocat/hello', /^repository-.*\.js$/],
  ['/octocat/hello/42', /^build-page-.*\.js$/],
] as const) {
  test(`the code of ${address} is requested together with the rest, not after it`, async ({ page, host }) => {
    many(host)
    await slowCode(page)
    const files = watchFiles(page)
    await page.goto(`${host.origin}${address}`, { waitUntil: 'commit' })
    // None of it has arrived yet.
    await expect.poll(() => files.some((name) => code.test(name))).toBe(true)
  })
}

test('a returning visitor gets the fonts before the code, a new one after it', async ({ page, host }) => {
  many(host)
  const isFace = (name: string) => name.endsWith('.woff2')
  const open = await slowCode(page)
  const files = watchFiles(page)
  await page.goto(`${host.origin}/`, { waitUntil: 'commit' })
  await expect.poll(() => files.some((name) => /^index-.*\.js$/.test(name))).toBe(true)
  // Two frames later the page would have requested it.
  await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))))
  expect(files.filter(isFace)).toEqual([])
  open()
  await expect(page.getByText('Recent Activity')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('flightdeck.kept-repos'))).not.toBeNull()

  await page.unrouteAll({ behavior: 'wait' })
  const again = await page.context().newPage()
  await slowCode(again)
  const later = watchFiles(again)
  await again.goto(`${host.origin}/`, { waitUntil: 'commit' })
  await expect.poll(() => later.filter(isFace).length).toBe(2)
  await expect(again.locator('.frame')).toBeVisible()
})

test('a frame that is replaced soon does not pulse, one that stays does', async ({ page, host }) => {
  many(host)
  // On a busy machine, the styles can take longer than a frame that is replaced soon.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await slowCode(page, '**/assets/*.js')
  await page.goto(`${host.origin}/`, { waitUntil: 'commit' })
  await expect(page.locator('.frame')).toBeVisible()
  const pulsing = () => page.evaluate(() => document.getAnimations().length)
  await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBe(2)
  expect(await pulsing()).toBe(0)
  await page.clock.runFor(2500)
  await expect.poll(pulsing).toBeGreaterThan(10)
})

const logOf = 'GET /api/repos/octocat/hello/builds/42/logs/1/1'

/**
 * The order in which the page requests a log, starts the worker that holds it and renders the
 * build.
 */
async function watchLog(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const fetch = window.fetch.bind(window)
    const { Worker } = window
    const note = (what: string) => {
      document.documentElement.dataset.order = `${document.documentElement.dataset.order ?? ''}${what} `
    }
    window.fetch = (input, init) => {
      if (new Request(input).url.includes('/logs/')) note('log')
      return fetch(input, init)
    }
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        note('worker')
      }
    }
    const looks = new MutationObserver(() => {
      // If the build arrives late, the log is empty at first.
      if (!document.body?.textContent.includes('Fix the parser')) return
      looks.disconnect()
      note('drawn')
    })
    looks.observe(document, { childList: true, subtree: true })
  })
  return async () => ((await page.locator('html').getAttribute('data-order')) ?? '').split(' ').filter(Boolean)
}

test('a build’s log is requested and its worker started before its page is rendered, each once', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(logOf, ok(data.lines(30)))
  const order = await watchLog(page)
  await go('/octocat/hello/42')
  await expect(page.getByRole('log')).toContainText('line 30')
  expect(await order()).toEqual(['log', 'worker', 'drawn'])
  expect(host.made(logOf)).toHaveLength(1)
})

test('a log that was requested is kept while the rest of the page takes long', async ({ page, host, go }) => {
  withBuild(host)
  host.on(logOf, ok(data.lines(30)))
  const { opened, open } = latch()
  const user = host.answerTo('GET /api/user')
  host.on('GET /api/user', async (call) => {
    await opened
    return user(call)
  })
  await page.clock.install()
  const order = await watchLog(page)
  await go('/octocat/hello/42')
  await expect.poll(() => host.made(logOf).length).toBe(1)
  await page.clock.runFor(5_000)
  open()
  await expect(page.getByRole('log')).toContainText('line 30')
  expect(await order()).toEqual(['log', 'worker', 'drawn'])
  expect(host.made(logOf)).toHaveLength(1)
})

test('the graph of a build does not request its log', async ({ page, host, go }) => {
  withBuild(host)
  const order = await watchLog(page)
  await go('/octocat/hello/42?view=graph')
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
  const known = await order()
  expect(known).not.toContain('log')
  expect(known).not.toContain('worker')
  expect(host.made(logOf)).toHaveLength(0)
})

test('the code that reads a build’s log is requested after the page’s own, before any code runs', async ({
  page,
  host,
}) => {
  many(host)
  const openPage = await slowCode(page, '**/assets/build-page-*.js')
  const openEntry = await slowCode(page, '**/assets/index-*.js')
  const asked: string[] = []
  const workers = () => asked.filter((path) => path.startsWith('/assets/worker-'))
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${host.origin}/octocat/hello/42`, { waitUntil: 'commit' })
  // All other code of the page has been requested.
  await expect.poll(() => asked.filter((path) => /\/assets\/(index|build-page)-.*\.js$/.test(path)).length).toBe(2)
  await expect(page.locator('.frame')).toBeVisible()
  expect(workers()).toEqual([])
  openPage()
  await expect.poll(() => workers().length).toBe(1)
  openEntry()
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
  // The page later starts this file, and no other.
  await expect.poll(() => page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([workers()[0]])
})

test('responses requested for a page that does not exist are not used for another one later', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ message: 'As it was' }))
  await go('/octocat/hello/42/1/1/and/more')
  await expect(page.getByText(notFound)).toBeVisible()
  // No component of that page has used them.
  expect(host.made('GET /api/repos/octocat/hello/builds/42')).toHaveLength(1)
  withBuild(host, data.detail({ message: 'As it is' }))
  await follow(page, '/octocat/hello/42')
  await expect(page.getByRole('heading', { name: 'As it is' })).toBeVisible()
})
