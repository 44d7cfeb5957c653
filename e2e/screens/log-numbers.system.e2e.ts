/** Line numbers in the recorded log of a step: the runner sends entries without text. */
import { readFileSync } from 'node:fs'
import type { Line } from '@flightdeck/api'
import type { Page } from '@playwright/test'
import { box, data, expect, fail, ok, test, withBuild } from '../support/screens.ts'

const log = '/api/repos/octocat/hello/builds/42/logs/1/1'
const stream = '/api/stream/octocat/hello/42/1/1'
const recorded = JSON.parse(
  readFileSync(new URL('../../server/src/testing/recordings/logs.json', import.meta.url), 'utf8'),
) as { why: string; body: Line[] }[]
const entries = recorded.find(({ why }) => why.startsWith('log of a step that was silent'))?.body ?? []

const rows = (page: Page) => page.getByRole('log').locator('[data-line]')
const numbers = (page: Page) => rows(page).getByRole('link').allInnerTexts()
const marked = (page: Page) => page.getByRole('log').locator('[data-marked]')
const second = '+ echo after the silence'

test('line numbers are the same in live and stored logs, and a link finds its line in both', async ({
  page,
  host,
  go,
}) => {
  const running = data.running()
  withBuild(host, running)
  host.on(`GET ${log}`, fail(404, 'sql: no rows in result set'))
  await go('/octocat/hello/42/1/1#L4')
  for (const entry of entries) await host.push(stream, entry)
  await expect(rows(page)).toHaveCount(5)
  expect(await numbers(page)).toEqual(['1', '2', '3', '4', '5'])
  await expect(marked(page)).toContainText(second)

  // The connection is cut, and all entries are sent again.
  host.cutStreams()
  for (const entry of entries) await host.push(stream, entry)
  await host.push(stream, { pos: entries.length + 1, out: 'the last one\n', time: 41 })
  await expect(rows(page)).toHaveCount(6)
  expect(await numbers(page)).toEqual(['1', '2', '3', '4', '5', '6'])

  host.on(`GET ${log}`, ok(entries))
  await host.eof(stream)
  const done = { ...data.detail(), version: 9 }
  host.on('GET /api/repos/octocat/hello/builds/42', ok(done))
  await host.push('/api/stream', { ...data.repo(), build: done })
  await expect(page.getByText('Exit Code 0')).toBeVisible()
  await expect(rows(page)).toHaveCount(5)
  expect(await numbers(page)).toEqual(['1', '2', '3', '4', '5'])
  await expect(marked(page)).toContainText(second)
  await page.reload()
  await expect(marked(page)).toContainText(second)
  await expect(marked(page)).toHaveCount(1)
})

test('a line number is a target of 24 px in a row of 20 px, and a click selects the row under the pointer', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(9)))
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 844 })
    await go('/')
    await go('/octocat/hello/42/1/1')
    const number = (text: string) => page.getByRole('log').getByRole('link', { name: text, exact: true })
    const [fourth, fifth] = [await box(number('4')), await box(number('5'))]
    expect(fourth.height).toBeGreaterThanOrEqual(24)
    expect(fourth.width).toBeGreaterThanOrEqual(24)
    expect(fifth.y - fourth.y).toBe(20)
    // Where the targets of two rows overlap, coming from the text of the first.
    const row = await box(page.getByRole('log').locator('[data-line="3"]'))
    await page.mouse.move(row.x + 80, row.y + 19)
    await page.mouse.move(fourth.x + 12, row.y + 19)
    await page.mouse.down()
    await page.mouse.up()
    await expect(page).toHaveURL(/#L4$/)
  }
})

test('a page that opens a long step late explains where its first lines are', async ({ page, host, go }) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  for (const pos of [1000, 1001, 1002]) await host.push(stream, { pos, out: `line ${pos + 1}\n`, time: 9 })
  await expect(
    page.getByText('1000 earlier lines are not available live. The complete log will appear when the step finishes.'),
  ).toBeVisible()
  expect(await numbers(page)).toEqual(['1001', '1002', '1003'])
})
