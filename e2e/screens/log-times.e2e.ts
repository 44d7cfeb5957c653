/** The times beside the lines of a log: of the step, since the line before, of day (issue 16, point 7). */
import type { Page } from '@playwright/test'
import { data, expect, ok, test, withBuild } from '../support/screens.ts'

const log = 'GET /api/repos/octocat/hello/builds/42/logs/1/1'
const times = (page: Page) => page.getByRole('log').locator('.log-time')
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Log options' }).click()
  await page.getByRole('menuitem', { name }).click()
}
const began = new Date(2023, 10, 14, 10, 20, 30, 400).getTime()

test('one chooses which time stands beside the lines, by mouse and by key, and it is remembered', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(
    log,
    ok([
      { pos: 0, out: 'first\n', time: 0, tenth: 2, began },
      { pos: 1, out: 'second\n', time: 61, tenth: 5 },
    ]),
  )
  await go('/octocat/hello/42')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  await choose(page, 'Time since the line before')
  await expect(times(page)).toHaveText(['+0.2s', '+61.3s'])
  await page.reload()
  await expect(times(page)).toHaveText(['+0.2s', '+61.3s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['10:20:30.6', '10:21:31.9'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  // Hidden, the key shows them again as they were.
  await page.getByRole('button', { name: 'Show times' }).click()
  await expect(times(page)).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['0.2s', '61.5s'])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('another time beside the log’s lines')
})

test('of a server that tells whole seconds no tenths are shown', async ({ page, host, go }) => {
  const started = Math.floor(began / 1000)
  withBuild(host, data.oneStage({ started }, { started }))
  host.on(log, ok(data.lines(3).map((line) => ({ ...line, time: line.pos * 7 }))))
  await go('/octocat/hello/42')
  await expect(times(page)).toHaveText(['0s', '7s', '14s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['+0s', '+7s', '+7s'])
  await page.keyboard.press('t')
  await expect(times(page)).toHaveText(['10:20:30', '10:20:37', '10:20:44'])
})

test('in the middle of a long log with wrapped lines the reader stays at the line, whatever time is shown', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(log, ok(data.lines(6000, (index) => `line ${index + 1} ${'word '.repeat(60)}`)))
  await go('/octocat/hello/42/1/1#L3000')
  const marked = page.getByRole('log').locator('[data-marked]')
  await expect(marked).toBeInViewport()
  await page.getByRole('button', { name: 'Wrap lines' }).click()
  await expect(marked).toBeInViewport()
  const top = async () => Math.round((await marked.boundingBox())?.y ?? 0)
  let before = -1
  await expect
    .poll(async () => {
      const now = await top()
      const same = now === before
      before = now
      return same
    })
    .toBe(true)
  for (const shown of [/^\+/, /^\d\d:/, /^\d+s$/]) {
    await page.keyboard.press('t')
    await expect(times(page).first()).toHaveText(shown)
    await expect(marked).toBeInViewport()
    // The rows above it may be wrapped otherwise; the window's first line stays, so it moves by some rows at most.
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(60)
  }
})
