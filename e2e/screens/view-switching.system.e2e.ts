/**
 * Switching a build's views faster than the URL is updated (docs/decisions/address.md); each view
 * appears in its final position.
 */
import type { Page } from '@playwright/test'
import { diamond, graph, level } from '../support/graph-view.ts'
import { graphOf } from '../support/graphs.ts'
import { box, data, latch, expect, follow, graphView, ok, rest, test, withBuild } from '../support/screens.ts'

declare const idle: () => void
/** Keeps the browser busy until the test makes it idle. */
const keepBusy = (page: Page) =>
  page.addInitScript(() => {
    let count = 0
    let busy = true
    const waiting = new Map<number, IdleRequestCallback>()
    const runAll = () => {
      for (const [key, task] of waiting) {
        waiting.delete(key)
        task({ didTimeout: false, timeRemaining: () => 1 })
      }
    }
    window.requestIdleCallback = (task) => {
      waiting.set((count += 1), task)
      if (!busy) setTimeout(runAll, 0)
      return count
    }
    window.cancelIdleCallback = (task) => void waiting.delete(task)
    const idle = () => {
      busy = false
      runAll()
    }
    Object.assign(window, { idle })
  })
const logView = (page: Page) => page.getByRole('button', { name: 'Log View' })
const jobs = (page: Page) => page.getByRole('navigation', { name: 'Pipeline stages' })

test('of two clicks before the browser is idle the last one counts', async ({ page, host, go }) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello/42/3/1')
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  await logView(page).click()
  await expect(jobs(page)).toBeVisible()
  await page.evaluate(() => idle())
  await rest(page)
  await expect(logView(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(page).not.toHaveURL(/view=graph/)
  await page.reload()
  await expect(logView(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(jobs(page)).toBeVisible()
})

test('two clicks within one frame: the last one counts', async ({ page, host, go }) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello/42/3/1')
  await graphView(page).hover()
  await page.waitForLoadState('networkidle')
  const timeline = page.getByRole('button', { name: 'Timeline' })
  const [first, last] = [await graphView(page).elementHandle(), await timeline.elementHandle()]
  await page.evaluate(
    ([first, last]) => {
      for (const button of [first, last]) if (button instanceof HTMLElement) button.click()
    },
    [first, last],
  )
  await expect(timeline).toHaveAttribute('aria-pressed', 'true')
  await rest(page)
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/3\/1\?view=timeline$/)
  await rest(page)
  await expect(timeline).toHaveAttribute('aria-pressed', 'true')
})

test('the log, selected after the graph, stays although the URL did not name the graph yet', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await keepBusy(page)
  await page.addInitScript(() => {
    if (sessionStorage.getItem('began')) return
    sessionStorage.setItem('began', 'yes')
    localStorage.setItem('flightdeck.build.view', 'graph')
  })
  await go('/octocat/hello/42/3/1')
  await expect(graph(page, 'Stage')).toBeVisible()
  await logView(page).click()
  await expect(jobs(page)).toBeVisible()
  await page.evaluate(() => idle())
  await rest(page)
  await expect(jobs(page)).toBeVisible()
  await expect(page).not.toHaveURL(/view=graph/)
})

test('the search, opened before the browser is idle, keeps the view in the URL', async ({ page, host, go }) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello')
  await page.getByRole('link', { name: /#42/ }).first().click()
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.evaluate(() => idle())
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/\d\/\d\?view=graph$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
})

test('Back right after a click: no other history entry gets the view’s name', async ({ page, host, go }) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello')
  await page.getByRole('link', { name: /#42/ }).first().click()
  await expect(page).toHaveURL(/\/42\/\d\/\d$/)
  await graphView(page).click()
  await page.goBack()
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  await page.goForward()
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/\d\/\d\?view=graph$/)
})

test('a stage selected right after a key press keeps the graph, and Back returns to the previous step', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello/42/3/1')
  await expect(jobs(page)).toBeVisible()
  await graphView(page).click()
  await page.keyboard.press('[')
  await expect(page).toHaveURL(/\/42\/2\/1/)
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/2\/1\?view=graph$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/42\/3\/1/)
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/3\/1\?view=graph$/)
})

test('a reload right after a click shows the selected view', async ({ page, host, go }) => {
  diamond(host)
  await keepBusy(page)
  await go('/octocat/hello/42/3/1')
  await expect(jobs(page)).toBeVisible()
  await graphView(page).click()
  await page.reload()
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.evaluate(() => idle())
  await expect(page).toHaveURL(/\/42\/3\/1\?view=graph$/)
})

test('a graph shown again after the window was resized opens for the new size', async ({ page, host, go }) => {
  const stages = graphOf(9).map((stage) => ({ ...stage, steps: [data.step({ name: 'only' })] }))
  withBuild(host, data.detail({ stages }))
  await page.setViewportSize({ width: 1700, height: 1100 })
  await go('/octocat/hello/42/3/1?view=log')
  await graphView(page).click()
  await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(9)
  const wide = await level(page, 'Stage')
  // The log as a separate history entry, like a link to one of its lines.
  await page.evaluate(() => {
    history.pushState({}, '', '/octocat/hello/42/3/1?view=log')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(jobs(page)).toBeVisible()
  await page.setViewportSize({ width: 800, height: 500 })
  await rest(page)
  await page.goBack()
  await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(9)
  await rest(page)
  const again = await level(page, 'Stage')
  await page.reload()
  await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(9)
  expect([again, wide]).toEqual([await level(page, 'Stage'), wide])
})

test('with larger text a toggle opens the graph at the same position as its URL', async ({ page, host, go }) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '20px')),
  )
  await go('/octocat/hello/42/20/1')
  await graphView(page).click()
  const chosen = graph(page, 'Stage').getByRole('listitem').nth(19)
  await expect(chosen).toBeInViewport()
  await rest(page)
  const pressed = await box(chosen)
  await expect(page).toHaveURL(/view=graph$/)
  await page.reload()
  await expect(chosen).toBeInViewport()
  await rest(page)
  expect(await box(chosen)).toEqual(pressed)
})

test('the graph of the next build opens in the space that its notices leave', async ({ page, host, go }) => {
  const stages = Array.from({ length: 20 }, (_, index) =>
    data.stage({ number: index + 1, name: `s${index + 1}`, ...(index > 0 && { depends_on: ['s1'] }) }),
  )
  withBuild(host, data.detail({ stages }))
  const next = data.detail({ number: 43, id: 8, stages: stages.map((stage) => ({ ...stage, ignored: ['a'] })) })
  withBuild(host, next)
  const { opened, open } = latch()
  host.on('GET /api/repos/octocat/hello/builds/43', async () => {
    await opened
    return ok(next)
  })
  await go('/octocat/hello/42/12/1?view=graph')
  const chosen = graph(page, 'Stage').getByRole('listitem').nth(11)
  await expect(chosen).toBeInViewport()
  await follow(page, '/octocat/hello/43/12/1?view=graph')
  await expect(graph(page, 'Stage')).toHaveCount(0)
  open()
  await expect(page.getByRole('region', { name: 'Ignored settings' })).toBeVisible()
  await expect(chosen).toBeInViewport()
  await rest(page)
  const come = await box(chosen)
  await page.reload()
  await expect(chosen).toBeInViewport()
  await rest(page)
  expect(come).toEqual(await box(chosen))
})

/**
 * Records the positions of the nodes of both graphs in every frame. A node that moves has more than
 * one.
 */
const watchNodes = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = []
    let frames = 0
    const check = () => {
      const nodes = [...document.querySelectorAll('section[aria-label$=" graph"] li')]
      const places = nodes.map((node) => node.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])
      const place = JSON.stringify(places.map((box) => box.map(Math.round)))
      if (nodes.length > 0 && (frames += 1) && seen.at(-1) !== place) seen.push(place)
      requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
    Object.assign(window, { seenNodes: () => (frames > 5 ? seen : []) })
  })
declare const seenNodes: () => string[]

for (const [width, hasTouch, size] of [
  [1440, false, 9],
  [1440, false, 60],
  [768, true, 9],
  [390, true, 9],
] as const)
  test.describe(`${size} stages at ${width} px${hasTouch ? ' with a finger' : ''}`, () => {
    test.use({ hasTouch, isMobile: hasTouch, viewport: { width, height: 844 } })
    test('are in place in the first frame after the click, the same as from the URL', async ({ page, host, go }) => {
      const stages = graphOf(size).map((stage) => ({ ...stage, steps: [data.step({ name: 'only' })] }))
      withBuild(host, data.detail({ stages }))
      await go('/octocat/hello/42/3/1')
      // On a phone the URL of a step opens its log.
      if (width < 768) await page.getByRole('button', { name: 'Close' }).first().click()
      const toggle = page.getByRole('button', { name: 'Graph View' })
      await toggle.hover()
      await page.waitForLoadState('networkidle')
      await watchNodes(page)
      await toggle.click()
      await expect.poll(() => page.evaluate(() => seenNodes().length)).toBe(1)
      await expect(page).toHaveURL(/view=graph/)
      const pressed = await page.evaluate(() => seenNodes())
      await page.reload()
      await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(size)
      await rest(page)
      await watchNodes(page)
      await expect.poll(() => page.evaluate(() => seenNodes())).toEqual(pressed)
    })
  })
