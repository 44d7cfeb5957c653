/** Searching in other steps and builds with a server that has no log search. */
import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import type { Host } from '../support/host.ts'
import { data, latch, expect, fail, ok, test, withBuild } from '../support/screens.ts'

const logOf = (build: number, step = 1) => `GET /api/repos/octocat/hello/builds/${build}/logs/1/${step}`
const numbers = Array.from({ length: 50 }, (_, index) => 90 - index)
const answerSearch = (text: string) =>
  ok([
    { pos: 0, out: 'quiet\n', time: 0 },
    { pos: 1, out: `${text}\n`, time: 75 },
  ])

/** Fifty builds of two branches; the warning is in the builds from 88 on, and in 71. */
const withBuilds = (host: Host): Host => {
  withBuild(host)
  const built = (number: number) =>
    data.detail({ number, target: number % 2 ? 'main' : 'next', author_login: number === 71 ? 'mona' : 'octocat' })
  host.on('GET /api/repos/octocat/hello/builds', ok(numbers.map(built)))
  for (const number of numbers) {
    host.on(`GET /api/repos/octocat/hello/builds/${number}`, ok(built(number)))
    host.on(
      logOf(number),
      number > 87 || number === 71 ? answerSearch('warning: old style') : answerSearch('nothing to see'),
    )
  }
  return host
}
const find = async (page: Page, text: string, where: string) => {
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('searchbox', { name: 'Find in log' }).fill(text)
  await page.getByRole('combobox', { name: 'Find in' }).selectOption(where)
}
const status = (page: Page) => page.getByRole('region', { name: 'Search results' }).getByRole('status')

test('a search covers the last 50 builds, and names the first one with the text', async ({ page, host, go }) => {
  withBuilds(host)
  await go('/octocat/hello/90/1/1')
  await find(page, 'old style', 'Last 50 builds')
  await expect(status(page)).toContainText(/First seen in #71 \(\w+ \d+, mona\); found in 4 builds/)
  await expect(status(page)).toContainText('4 results in 4 steps')
  const hit = page.getByRole('link', { name: /2.*warning: old style.*75s/ })
  await expect(hit).toHaveCount(4)
  await expect(page.getByText(/^#88 · next · .* · octocat$/)).toBeVisible()
  // A hit opens its line, with the same search.
  await hit.last().click()
  await expect(page).toHaveURL(/\/octocat\/hello\/71\/1\/1#L2$/)
  await expect(page.getByRole('log').locator('[data-marked]')).toContainText('warning: old style')
  await expect(status(page)).toContainText('First seen in #71')
})

test('results show the time format selected for the log, with tenths @system', async ({ page, host, go }) => {
  withBuilds(host)
  const startedAt = new Date(2023, 10, 14, 10, 20, 30, 400).getTime()
  host.on(
    logOf(89),
    ok([
      { pos: 0, out: 'quiet\n', time: 60, tenth: 9, began: startedAt },
      { pos: 1, out: 'warning: old style\n', time: 75, tenth: 3 },
    ]),
  )
  // Based on the step's start, for servers that only send whole seconds.
  const started = new Date(2023, 10, 14, 10, 0, 0).getTime() / 1000
  const [stage] = data.oneStage({ started }, { started }).stages ?? []
  host.on('GET /api/repos/octocat/hello/builds/88', ok(data.detail({ number: 88, ...(stage && { stages: [stage] }) })))
  await go('/octocat/hello/90/1/1')
  await find(page, 'old style', 'Last 50 builds')
  const hit = (build: number) => page.locator(`a[href="/octocat/hello/${build}/1/1#L2"]`)
  await expect(hit(89)).toHaveText('2warning: old style75.3s')
  await expect(hit(88)).toHaveText('2warning: old style75s')
  await page.getByRole('log').locator('[tabindex]').first().focus()
  await page.keyboard.press('t')
  await expect(hit(89)).toHaveText('2warning: old style+14.4s')
  await expect(hit(88)).toHaveText('2warning: old style+75s')
  await page.keyboard.press('t')
  await expect(hit(89)).toHaveText('2warning: old style10:21:45.7')
  await expect(hit(88)).toHaveText('2warning: old style10:01:15')
  await expect(hit(88).getByTitle('Time of day')).toBeVisible()
  // Without times beside the log, results have none.
  await page.getByRole('button', { name: 'Show times' }).click()
  await expect(hit(89)).toHaveText('2warning: old style')
})

test('if the oldest build already has the text, no first build is claimed @system', async ({ page, host, go }) => {
  withBuilds(host)
  await go('/octocat/hello/90/1/1')
  await find(page, 'quiet', 'Last 50 builds')
  await expect(status(page)).toContainText(/First seen in #41.* or earlier \(older builds were not searched\)/)
})

test('it shows its progress and can be stopped by keyboard alone @system', async ({ page, host, go }) => {
  withBuilds(host)
  const { opened, open } = latch()
  host.on(logOf(86), async () => {
    await opened
    return answerSearch('nothing to see')
  })
  await go('/octocat/hello/90/1/1')
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.keyboard.type('old style')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Find in' })).toBeFocused()
  await page.keyboard.press('l')
  await expect(status(page)).toContainText('First seen so far in #88')
  await expect(status(page)).toContainText('3 results in 3 steps · 4 of 50 builds searched…')
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await stop.focus()
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('Stopped · 4 of 50 builds searched')
  await expect(status(page)).toContainText(/or earlier \(older builds were not searched\)/)
  await expect(stop).toHaveCount(0)
  open()
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('old style')
  await expect(stop).toHaveCount(0)
  expect(host.calls.some(({ path }) => path.includes('/85/logs/'))).toBe(false)
})

test('a deleted log is counted, and a server error is shown with the server’s message @system', async ({
  page,
  host,
  go,
}) => {
  withBuilds(host)
  host.on(logOf(89), fail(404, 'sql: no rows in result set'))
  await go('/octocat/hello/90/1/1')
  await find(page, 'old style', 'Last 50 builds')
  await expect(status(page)).toContainText('3 results in 3 steps · 1 log is unavailable')
  host.on('GET /api/repos/octocat/hello/builds', fail(500, 'the database is locked'))
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('warning')
  await expect(status(page)).toContainText('the database is locked')
})

test('a regular expression counts while it searches, and can be stopped @system', async ({ page, host, go }) => {
  withBuild(host)
  // The pattern takes a fraction of a millisecond per line, so many seconds in total.
  const many = (index: number) => `${'a'.repeat(13)} line ${index + 1}`
  host.on('GET /api/repos/octocat/hello/builds/42/logs/1/1', ok(data.lines(100_000, many)))
  await go('/octocat/hello/42/1/1')
  await expect(page.getByRole('log').getByText(/line 100000$/)).toBeVisible()
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('button', { name: 'Regular expression' }).click()
  const count = page.getByRole('search').getByRole('status')
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('^(a+)+$|line')
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      const text = (await count.textContent()) ?? ''
      if (/^\d[^+]*\+ results$/.test(text)) seen.add(text)
      return seen.size
    })
    .toBeGreaterThan(2)
  await page.getByRole('button', { name: 'Stop searching' }).click()
  await expect(page.getByRole('button', { name: 'Stop searching' })).toHaveAttribute('aria-disabled', 'true')
  await expect(count).toHaveText(/^\d[^+]*\+ results$/)
  // The results so far can be opened.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(count).toHaveText(/^\d\S* of \d[^+]*\+$/)
})

test('a regular expression that takes too long is stopped with a message, and the next one works @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(
    'GET /api/repos/octocat/hello/builds/42/logs/1/1',
    ok(data.lines(20_000, (index) => (index === 19_999 ? `${'a'.repeat(40)}!` : `line ${index + 1}`))),
  )
  await go('/octocat/hello/42/1/1')
  await expect(page.getByRole('log').getByText('aaa!')).toBeVisible()
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('button', { name: 'Regular expression' }).click()
  const field = page.getByRole('searchbox', { name: 'Find in log' })
  const count = page.getByRole('search').getByRole('status')
  await field.fill('line \\d+|(a+)+$')
  await expect(page.getByRole('alert')).toHaveText('This pattern is too slow and was stopped')
  // The page does not claim that these are all results.
  await expect(count).toHaveText(/^\d[^+]*\+ results$/)
  await field.fill('a!$')
  await expect(count).toHaveText('1 result')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('results have enough contrast, in the log and above it @system', async ({ page, host, go }) => {
  withBuilds(host)
  await go('/octocat/hello/90/1/1')
  await find(page, 'old style', 'Last 50 builds')
  await expect(status(page)).toContainText('First seen in #71')
  await expect(page.getByRole('log').locator('mark')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})
