/**
 * The times beside log lines: since the step's start, since the previous line, or the time of day.
 */
import type { Page } from '@playwright/test'
import { data, expect, ok, test, withBuild } from '../support/screens.ts'

const log = 'GET /api/repos/octocat/hello/builds/42/logs/1/1'
const times = (page: Page) => page.getByRole('log').locator('.log-time')
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Log options' }).click()
  await page.getByRole('menuitem', { name }).click()
}
const startedAt = new Date(2023, 10, 14, 10, 20, 30, 400).getTime()

test('the time format beside the lines is selected by mouse and by keyboard, and remembered @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(
    log,
    ok([
      { pos: 0, out: 'first\n', time: 0, tenth: 2, began: startedAt },
      { pos: 1, out: 'second\n', time: 61, tenth: 5 },
    ]),
  )
  await go('/octocat/hello/42')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  await choose(page, 'Time since previous line')
  await expect(times(page)).toHaveText(['+0.2s', '+61.3s'])
  await page.reload()
  await expect(times(page)).toHaveText(['+0.2s', '+61.3s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['10:20:30.6', '10:21:31.9'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  // If the times are hidden, the key shows them again in the same format.
  await page.getByRole('button', { name: 'Show times' }).click()
  await expect(times(page)).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('switch timestamp format')
})

test('with a server that sends whole seconds no tenths are shown @system', async ({ page, host, go }) => {
  const started = Math.floor(startedAt / 1000)
  withBuild(host, data.oneStage({ started }, { started }))
  host.on(log, ok(data.lines(3).map((line) => ({ ...line, time: line.pos * 7 }))))
  await go('/octocat/hello/42')
  await expect(times(page)).toHaveText(['0s', '7s', '14s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['+0s', '+7s', '+7s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['10:20:30', '10:20:37', '10:20:44'])
})

/** Records the distance of the marked line from the top of the log after each painted frame. */
const watchMarked = (page: Page) =>
  page.evaluate(() => {
    const places: (number | string)[] = []
    const log = document.querySelector('[role=log]')
    const check = () => {
      const line = log?.querySelector('[data-marked]')
      const place = line ? line.getBoundingClientRect().top - (log?.getBoundingClientRect().top ?? 0) : 'gone'
      places.push(typeof place === 'number' ? Math.round(place) : place)
    }
    const watch = () =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        const width = innerWidth
        port1.addEventListener('message', () => {
          port1.close()
          // Ignores frames that were not painted at the current window size.
          if (innerWidth === width) check()
          watch()
        })
        port1.start()
        port2.postMessage(undefined)
      })
    watch()
    Object.assign(window, { placesOfMarked: () => places.splice(0) })
  })
/** The recorded positions since the last call, including the current frame. */
const placesOfMarked = async (page: Page): Promise<(number | string)[]> => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const places: unknown = await page.evaluate('placesOfMarked()')
  return Array.isArray(places) ? [...new Set(places)] : []
}

test('in the middle of a long log the visible line stays in place in each frame, for every time format and line wrapping @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(log, ok(data.lines(6000, (index) => `line ${index + 1} ${'word '.repeat(60)}`)))
  await go('/octocat/hello/42/1/1#L3000')
  const marked = page.getByRole('log').locator('[data-marked]')
  const height = () =>
    page
      .getByRole('log')
      .locator('[tabindex]')
      .first()
      .evaluate((element) => element.scrollHeight)
  await expect(marked).toBeInViewport()
  await watchMarked(page)
  const [place] = await placesOfMarked(page)
  expect(place).toBeGreaterThan(0)
  const wrap = page.getByRole('button', { name: 'Wrap lines' })
  const oneRowEach = 6000 * 20
  await wrap.click()
  // Only then are the heights of all lines known.
  await expect.poll(height).toBeGreaterThan(oneRowEach)
  expect(await placesOfMarked(page)).toEqual([place])
  for (const shown of [/^\+/, /^\d\d:/, /^\d+s$/]) {
    await page.keyboard.press('t')
    await expect(times(page).first()).toHaveText(shown)
    expect(await placesOfMarked(page)).toEqual([place])
  }
  await wrap.click()
  await expect.poll(height).toBe(oneRowEach)
  expect(await placesOfMarked(page)).toEqual([place])
  await wrap.click()
  await expect.poll(height).toBeGreaterThan(oneRowEach)
  // The top of the console can move with the page, so positions are relative to it.
  for (const width of [1000, 1280]) {
    const before = await height()
    await page.setViewportSize({ width, height: 720 })
    await expect.poll(height).not.toBe(before)
    expect(await placesOfMarked(page)).toEqual([place])
  }
})
