/** The builds page of a repository: what is visible first, the chart, and the texts of its rows. */
import type { Locator } from '@playwright/test'
import { box, data, expect, fail, ok, ours, signedInAs, test, withRepo } from '../support/screens.ts'

const path = '/api/repos/octocat/hello'

/** Builds with these durations in seconds, newest first. */
const taking = (...durations: number[]) =>
  durations.map((seconds, index) =>
    data.build({
      id: 90 - index,
      number: 90 - index,
      created: data.now - 7_300,
      started: data.now - 7_200,
      finished: data.now - 7_200 + seconds,
    }),
  )
const rightEnd = async (place: Locator) => {
  const { x, width } = await box(place)
  return x + width
}

for (const { device, viewport, hasTouch } of [
  { device: 'a desk', viewport: { width: 1440, height: 900 }, hasTouch: false },
  { device: 'a phone', viewport: { width: 390, height: 844 }, hasTouch: true },
]) {
  test.describe(() => {
    test.use({ viewport, hasTouch, isMobile: hasTouch })
    test(`the list starts within 400 px on ${device} @system`, async ({ page, host, go }) => {
      withRepo(host, { counter: 12_345 })
      host.on(`GET ${path}/builds`, ok(taking(...Array<number>(50).fill(130))))
      await go('/octocat/hello')
      const first = page.getByRole('region', { name: 'Executions' }).getByRole('listitem').first()
      expect((await box(first)).y).toBeLessThan(400)
      expect(
        (await box(page.getByRole('region', { name: 'Durations of the last builds' }).getByRole('list'))).height,
      ).toBe(170)
      // The numbers are on one line, each complete.
      const figures = page.getByRole('definition')
      const tops = await figures.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
      expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(2)
      await expect(figures).toHaveText([
        /^12\u2009345$/,
        /^2 min 2m 10s$/,
        hasTouch ? /^2 h ago$/ : /^2 hours ago$/,
        /success$/,
      ])
      const cut = () =>
        page
          .locator('dl dt, dl dd, dl dd *:not(.sr-only)')
          .evaluateAll(
            (all) => all.filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 1).length,
          )
      expect(await cut()).toBe(0)
      // The oldest age and the longest status fit as well.
      const old = data.build({ created: data.now - 375 * 86_400, status: 'declined' })
      host.on(`GET ${path}/builds`, ok([old, ...taking(...Array<number>(49).fill(9_000))]))
      await go('/octocat/hello')
      await expect(figures.last()).toHaveText(/declined$/)
      expect(await cut()).toBe(0)
      const link = await box(page.getByRole('link', { name: 'Step durations' }))
      expect(link.x + link.width).toBeLessThanOrEqual(viewport.width - 16)
      expect(link.x).toBeGreaterThanOrEqual((await rightEnd(figures.last())) - 1)
    })
  })
}

test('at 1440 pixels a name of thirteen letters is not truncated, and a long reason leaves room for the event @system', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const why = 'AssertionError expected 2 to equal 3 see https://example.com/x?a=1&b=2 and so on and on and on'
  withRepo(host)
  host.on(
    `GET ${path}/builds`,
    ok([
      data.build({ number: 2, author_login: 'Nora Newcomer', status: 'error', error: why }),
      data.build({ number: 1, event: 'tag', ref: 'refs/tags/v1.0.0', status: 'error', error: why }),
    ]),
  )
  await go('/octocat/hello')
  const whole = async (place: Locator) => {
    await expect(place).toBeVisible()
    return place.evaluate((element) => element.scrollWidth <= element.clientWidth)
  }
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  expect(await whole(rows.first().getByText('Nora Newcomer', { exact: true }).filter({ visible: true }))).toBe(true)
  expect(await whole(rows.first().getByText(/^ · Push/))).toBe(true)
  expect(await whole(rows.last().getByText(/^ · Tag v1\.0\.0/))).toBe(true)
})

test('a few builds are bars at fixed positions on the right; the longest is truncated, the others can be compared @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, ok(taking(60, 6_000, 60, 30)))
  await go('/octocat/hello')
  const chart = page.getByRole('region', { name: 'Durations of the last builds' })
  const bars = chart.getByRole('link')
  await expect(bars).toHaveCount(4)
  const base = await box(chart.locator('[data-line=base]'))
  const ends = await Promise.all((await bars.all()).map(rightEnd))
  expect(ends.map((end) => Math.round((ends.at(-1) ?? 0) - end))).toEqual([108, 72, 36, 0])
  expect(Math.abs((ends.at(-1) ?? 0) - (base.x + base.width))).toBeLessThan(1)
  for (const bar of await bars.all()) expect((await box(bar)).width).toBe(24)
  // #90 60 s, #89 6000 s, #88 60 s, #87 30 s: the oldest on the left.
  const heights = await bars.locator('> span').evaluateAll((all) => all.map((each) => each.clientHeight))
  const [half = 0, whole = 0, cut = 0, newest = 0] = heights
  expect([newest, cut]).toEqual([whole, 170])
  expect(Math.abs(whole - 2 * half)).toBeLessThanOrEqual(1)
  await expect(bars.nth(2)).toHaveAccessibleName('#89 success 1h 40m 00s (cut off in the chart)')
  await expect(chart.locator('[data-cut]')).toHaveCount(1)
  // The median of 30, 60, 60 and 6000 is as high as the bar of a minute.
  await expect(chart.getByText('Median 1m 00s')).toBeVisible()
  const median = await box(chart.locator('[data-line=median]'))
  expect(Math.abs(base.y - median.y - whole)).toBeLessThanOrEqual(1)
})

test('the line of the median never crosses its label @system', async ({ page, host, go }) => {
  withRepo(host)
  // At the top, slightly below it, and in the middle.
  for (const median of [100, 97, 92, 50]) {
    host.on(`GET ${path}/builds`, ok(taking(100, median, 10)))
    await go('/octocat/hello')
    const chart = page.getByRole('region', { name: 'Durations of the last builds' })
    const name = await box(chart.getByText(/^Median/))
    const line = await box(chart.locator('[data-line=median]'))
    const above = name.y + name.height <= line.y + 1
    expect(above || name.y >= line.y, `of ${median} s`).toBe(true)
  }
})

test('a bar shows its number, status and time on hover and focus, inside the window @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, ok(taking(75, 60, 61)))
  await go('/octocat/hello')
  const chart = page.getByRole('region', { name: 'Durations of the last builds' })
  const tip = chart.getByText('#90 success 1m 15s')
  await expect(tip).toHaveCount(0)
  await chart.getByRole('link').last().hover()
  await expect(tip).toBeVisible()
  await expect(chart.getByText('2 hours ago')).toBeVisible()
  expect(await rightEnd(chart.getByText('2 hours ago'))).toBeLessThan(1280)
  await page.mouse.move(0, 0)
  await expect(tip).toHaveCount(0)
  await chart.getByRole('link').last().focus()
  await expect(tip).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(tip).toHaveCount(0)
  await expect(chart.getByText('#89 success 1m 00s')).toBeVisible()
})

test('a row names author, branch and commit once: in their columns, or below without columns', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const builds = [
    data.build({ number: 9, id: 9 }),
    data.build({ number: 8, id: 8, event: 'cron', cron: 'nightly' }),
    data.build({ number: 7, id: 7, event: 'promote', parent: 3, deploy_to: 'staging' }),
    data.build({
      number: 6,
      id: 6,
      event: 'pull_request',
      ref: 'refs/pull/12/head',
      source: 'topic',
      action: 'opened',
    }),
  ]
  host.on(`GET ${path}/builds`, ok(builds))
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  for (const [index, words] of [
    'Push',
    'Cron job nightly',
    'Promoted #3 to staging',
    'Pull request #12 opened',
  ].entries())
    await expect(rows.nth(index)).toContainText(words)
  const seen = (width: number) =>
    test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 844 })
      const words = await rows.first().innerText()
      for (const once of ['octocat', 'main', '7fd1a60b']) expect(words.split(once), once).toHaveLength(2)
    })
  for (const width of [1440, 1100, 768, 390]) await seen(width)
})

test('every title stays visible: without spaces, very long, or empty @system', async ({ page, host, go }) => {
  withRepo(host)
  const messages = ['x'.repeat(300), 'Word '.repeat(100), '', '\u200b', '🎉']
  host.on(`GET ${path}/builds`, ok(messages.map((message, n) => data.build({ id: 90 - n, number: 90 - n, message }))))
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await go('/octocat/hello')
    await expect(rows.nth(2)).toContainText('No message')
    await expect(rows.nth(3)).toContainText('No message')
    for (const [index, message] of messages.entries()) {
      const title = rows.nth(index).locator('bdi').first()
      // Its first letter is visible, and the row keeps its height.
      const shown = await title.evaluate((element) => {
        const range = document.createRange()
        range.setStart(element.firstChild ?? element, 0)
        range.setEnd(element.firstChild ?? element, 1)
        const letter = range.getBoundingClientRect()
        const line = element.parentElement?.getBoundingClientRect()
        return line !== undefined && letter.bottom <= line.bottom + 1 && letter.right <= line.right + 1
      })
      expect(shown, `${message.slice(0, 8)} at ${width} px`).toBe(true)
      expect((await box(rows.nth(index))).height).toBeLessThan(80)
    }
  }
})

test('the first build of a repository without a commit explains what is missing', async ({ page, host, go }) => {
  withRepo(host, { permissions: { read: true, write: true, admin: true } }, [])
  host.on(`POST ${path}/builds`, fail(404, 'Not Found'))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'Run the first build of main' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'main has no commits yet. Push one and it will be built automatically.',
  )
})

test('a filter is in the URL and sent to the server, and its chip removes it', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, ours)
  const { login } = data.user()
  const both = taking(60, 120).map((build, index) => ({ ...build, author_login: index === 1 ? login : 'mona' }))
  const filter = `GET ${path}/builds/filter`
  host.on(`GET ${path}/builds`, ok(both)).on(filter, ok({ items: both.slice(1) }))
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL(new RegExp(`\\?author=${login}$`))
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: `Remove filter Author: ${login}` }).press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Status').selectOption('declined')
  await expect(page).toHaveURL(/status=declined/)
  await expect
    .poll(() => host.made(filter).map(({ query }) => query))
    .toEqual([expect.stringContaining(`author=${login}`), expect.stringContaining('status=declined')])
})

test('the number of matching builds is beside the chips, and of each option in its menu @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  signedInAs(host, ours)
  // Counts are read again after some seconds, which the test can take.
  await page.clock.setFixedTime(Date.now())
  const counts = `GET ${path}/builds/counts`
  const answered = { capped: false, statuses: { success: 116, failure: 12 }, events: { push: 12_000 } }
  host
    .on(`GET ${path}/builds/filter`, ok({ items: taking(60) }))
    .on(counts, ({ query }) => ok({ ...answered, total: query.includes('failure') ? 12 : 128 }))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const menu = page.getByLabel('Status')
  await expect(menu).toBeVisible()
  expect(host.made(counts)).toHaveLength(0)
  await menu.focus()
  await expect(menu.getByRole('option', { name: 'failure (12)' })).toBeAttached()
  await expect(page.getByLabel('Event').getByRole('option', { name: 'push (12\u2009000)' })).toBeAttached()
  const total = page.getByRole('search').getByRole('status')
  await expect(total).toHaveText('')
  await menu.selectOption('failure')
  await expect(total).toHaveText('12 builds')
  await expect(menu.locator('option:checked')).toHaveText('failure')
  await expect(menu.getByRole('option', { name: 'Any status (128)' })).toBeAttached()
  // On a phone the number has its own line, which exists before the response.
  await page.setViewportSize({ width: 390, height: 844 })
  let answer = (): void => undefined
  const pendingAnswer = new Promise<void>((resolve) => (answer = resolve))
  host.on(counts, async () => {
    await pendingAnswer
    return ok({ ...answered, total: 10_000, capped: true })
  })
  await page.getByLabel('Event').selectOption('push')
  await expect(page.getByRole('button', { name: 'Remove filter Event: push' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Executions' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(total).toHaveText('')
  const place = await box(list)
  answer()
  await expect(total).toHaveText('10\u2009000+ builds')
  expect(await box(list)).toEqual(place)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(total).toHaveText('')
  expect(host.made(counts).map(({ query }) => query.replace('?', ''))).toEqual([
    '',
    'status=failure',
    'status=failure&event=push',
  ])
})

test('counts are not requested from a server without them @system', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { ...ours, capabilities: ours.capabilities.filter((capability) => capability !== 'build_counts') })
  host.on(`GET ${path}/builds/filter`, ok({ items: taking(60) }))
  await go('/octocat/hello?status=failure')
  await expect(page.getByRole('button', { name: 'Remove filter Status: failure' })).toBeVisible()
  await page.getByLabel('Event').focus()
  await expect(page.getByRole('region', { name: 'Executions' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('search').getByRole('status')).toHaveCount(0)
  expect(host.made(`GET ${path}/builds/counts`)).toHaveLength(0)
})
