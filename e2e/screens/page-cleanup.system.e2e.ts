/** A page that is left leaves no timers, workers or requests behind. */
import type { Page } from '@playwright/test'
import { data, expect, ok, rest, test, withBuild, withRepo } from '../support/screens.ts'

/** Counts the running intervals by their period. */
const countIntervals = (page: Page) =>
  page.addInitScript(() => {
    const running = new Map<unknown, number>()
    const start = window.setInterval.bind(window)
    const stop = window.clearInterval.bind(window)
    Object.assign(window, {
      running: () => [...running.values()],
      setInterval: (action: () => void, period: number) => {
        const id = start(action, period)
        running.set(id, period)
        return id
      },
      clearInterval: (id: number) => {
        running.delete(id)
        stop(id)
      },
    })
  })
const intervals = (page: Page) =>
  page.evaluate(() => (window as unknown as { running: () => number[] }).running().toSorted((a, b) => a - b))

const home = (page: Page) => page.getByRole('link', { name: 'Flightdeck, home' }).click()

test('the clocks stop when they are not visible', async ({ page, host, go }) => {
  const build = data.running()
  withBuild(host, build)
  host.on('GET /api/user/repos', ok([]))
  await countIntervals(page)
  await go('/octocat/hello')
  await expect(page.getByText('Executions')).toBeVisible()
  await expect.poll(() => intervals(page)).toEqual([1_000, 30_000])
  await home(page)
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  await expect.poll(() => intervals(page)).toEqual([])
})

test('a build is not read again after leaving its page', async ({ page, host, go }) => {
  const steps = [data.step({ status: 'success' })]
  const stages = [data.stage({ status: 'running', stopped: 0, steps })]
  withBuild(host, data.detail({ status: 'running', finished: 0, stages }))
  host.on('GET /api/user/repos', ok([]))
  // Waits of a second and a half, which only this page has, never end here.
  await page.addInitScript(() => {
    const waiting = new Set<unknown>()
    const start = window.setTimeout.bind(window)
    const stop = window.clearTimeout.bind(window)
    Object.assign(window, {
      waiting: () => waiting.size,
      setTimeout: (action: () => void, delay: number, ...rest: unknown[]) => {
        const id = start(action, delay === 1_500 ? 3_600_000 : delay, ...rest)
        if (delay === 1_500) waiting.add(id)
        return id
      },
      clearTimeout: (id: number) => {
        waiting.delete(id)
        stop(id)
      },
    })
  })
  const waiting = () => page.evaluate(() => (window as unknown as { waiting: () => number }).waiting())
  await go('/octocat/hello/42')
  await expect(page.getByText('line 3')).toBeVisible()
  await host.reader('/api/stream')
  await expect.poll(waiting).toBe(1)
  await home(page)
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  await expect.poll(waiting).toBe(0)
})

test('the workers of a log and of the search through the build end with their page', async ({ page, host, go }) => {
  withBuild(host)
  host.on('GET /api/user/repos', ok([]))
  await go('/octocat/hello/42/1/1')
  await expect(page.getByText('line 3')).toBeVisible()
  expect(page.workers()).toHaveLength(1)
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('line')
  await page.getByRole('combobox', { name: 'Find in' }).selectOption('This build')
  await expect.poll(() => page.workers().length).toBe(2)
  await home(page)
  await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
  await expect.poll(() => page.workers().length).toBe(0)
})

test('the event stream closes with the last page that needs it', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello')
  await host.reader('/api/stream')
  await page.evaluate(() => history.pushState({}, '', '/welcome'))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await expect(page.getByRole('link', { name: 'Continue' })).toBeVisible()
  await expect.poll(() => host.readers('/api/stream')).toBe(0)
})

test('new builds are held back while the list is scrolled down, and shown on request', async ({ page, host, go }) => {
  const builds = Array.from({ length: 50 }, (_, index) =>
    data.build({ id: 100 - index, number: 100 - index, message: `Change ${100 - index}` }),
  )
  withRepo(host, { counter: 100 }, builds)
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await page.getByText('Change 60').scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  const before = await page.getByText('Change 60').boundingBox()
  // The browser reports a frame later that the top of the list has left the viewport.
  await rest(page)
  const fresh = data.running({ id: 101, number: 101, message: 'Change 101' })
  // The page reads the list again when its stream opens, which can be now: a server sends the same
  // in both ways.
  withRepo(host, { counter: 101 }, [fresh, ...builds.slice(0, 49)])
  await host.push('/api/stream', { ...data.repo({ counter: 101 }), version: 9, build: fresh })
  const wait = page.getByRole('button', { name: '1 new build' })
  await expect(wait).toBeVisible()
  await expect(rows.first()).toContainText('Change 100')
  expect((await page.getByText('Change 60').boundingBox())?.y).toBe(before?.y)
  await wait.click()
  await expect(rows.first()).toContainText('Change 101')
})
