/** Lines of a failed step that the last successful run did not have. */
import type { Page } from '@playwright/test'
import type { Build, Line } from '@flightdeck/api'
import { createFingerprint } from '@flightdeck/cause'
import { box, data, latch, expect, fail, ok, ours, rest, signedInAs, test, withBuild } from '../support/screens.ts'
import type { Host } from '../support/host.ts'
import { weakTexts } from '../support/contrast.ts'

const base = '/api/repos/octocat/hello'
const console = (page: Page) => page.getByRole('region', { name: 'Console' })
const log = (page: Page) => page.getByRole('log')
const rows = (page: Page) => log(page).locator('[data-line]')
const marked = (page: Page) => log(page).locator('[data-fresh]')
const only = (page: Page) => console(page).getByRole('button', { name: 'Only new lines' })
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const sentence = (count: number, run = 41) =>
  `${count} ${count === 1 ? 'line' : 'lines'} not in the last successful run (#${run})`

/** 442 lines of which three are new: the 5th, the 200th and the 201st. */
const wrong: Record<number, string> = { 5: 'AssertionError: 3 !== 4', 200: 'retrying sadly', 201: 'left a file behind' }
const count = 442
const usual = (index: number, more = 0) =>
  index === 1 ? '> hello test' : `ok ${index + more} - works in ${(index + more) % 9} ms`
const failedLog = data.lines(count, (i) => wrong[i + 1] ?? usual(i))
const successfulLog = data.lines(count, (i) => usual(i, 7))
const printOf = (lines: readonly Line[]): string => {
  const print = createFingerprint()
  for (const { out } of lines) print.add(out)
  return Buffer.from(print.bytes(1e6)).toString('base64')
}

const broken = (): Build =>
  data.oneStage({ status: 'failure' }, { status: 'failure', exit_code: 1, name: 'test' }, 'failure')
/** Flightdeck sends the lines that the last successful run had. */
const own = (host: Host, lines: readonly Line[] = failedLog) => {
  withBuild(host, broken())
  host.on(`GET ${base}/builds/42/logs/1/1`, ok(lines))
  host.on(`GET ${base}/builds/42/logs/1/1/known`, ok({ build: 41, stage: 1, step: 1, lines: printOf(successfulLog) }))
  signedInAs(host, ours)
}

test('lines that the last successful run did not have are marked and counted, and the run is linked @system', async ({
  page,
  host,
  go,
}) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  await expect(console(page)).toContainText(sentence(3))
  await expect(console(page).getByRole('link', { name: '#41' })).toHaveAttribute('href', '/octocat/hello/41/1/1')
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(marked(page)).toHaveText([/^5AssertionError/, /^200retrying sadly/, /^201left a file/])
  // Screen readers announce the mark.
  await expect(log(page).getByRole('link', { name: '5, error line, new', exact: true })).toBeVisible()
  await expect(log(page).getByRole('link', { name: '200, new', exact: true })).toHaveCount(1)
})

test('only new lines: by the button and by o, with their original numbers, and all lines again @system', async ({
  page,
  host,
  go,
}) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  await only(page).click()
  await expect(only(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page)).toHaveText([/^5AssertionError/, /^200retrying sadly/, /^201left a file/])
  await expect(row(page, 'AssertionError')).toBeInViewport()
  // A link to a line opens the line in the whole log.
  await log(page).getByRole('link', { name: '200', exact: true }).click()
  await expect(page).toHaveURL(/#L200$/)
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(count)
  await expect(only(page)).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('?')
  await expect(
    page.getByRole('dialog').getByText('show only lines that are new since the last successful run'),
  ).toBeVisible()
})

test('each new line has a tick at the scroll bar, with a limit on ticks @system', async ({ page, host, go }) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  const ticks = log(page).locator('[data-new]')
  await page.getByRole('button', { name: 'Show all logs' }).click()
  // The 5th of 442 lines, and the 200th and 201st beside each other.
  await expect(ticks).toHaveCount(2)
  const [whole, first, second] = [await box(log(page)), await box(ticks.first()), await box(ticks.nth(1))]
  expect(first.y).toBe(whole.y)
  expect(Math.abs(second.y - (whole.y + 0.45 * whole.height))).toBeLessThan(1)
  expect(whole.x + whole.width - (first.x + first.width)).toBeGreaterThan(0)
  // In the view of new lines there are no ticks, which would mark every line.
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(3)
  await expect(ticks).toHaveCount(0)
  own(
    host,
    data.lines(5000, (i) => `another thing ${'abcdefghij'[i % 10]} of ${'klmnopqrst'[(i >> 3) % 10]}`),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(ticks).toHaveCount(1)
  expect((await box(ticks)).height).toBeGreaterThan(0.98 * whole.height)
})

/** The position of a line in the viewport. */
const topOf = async (page: Page, text: string) => (await box(row(page, text))).y - (await box(log(page))).y

test('the view keeps the position: at the earlier line, or at the line that was opened since @system', async ({
  page,
  host,
  go,
}) => {
  // Enough new lines to scroll.
  const many = data.lines(count, (i) => (i % 4 === 3 ? `strange word ${'x'.repeat(i)}` : usual(i)))
  own(host, many)
  await go('/octocat/hello/42/1/1#L299')
  await expect(row(page, 'ok 298 ')).toBeInViewport()
  await expect(console(page)).toContainText(sentence(110))
  await rest(page)
  const before = await topOf(page, 'ok 298 ')
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(110)
  await expect(log(page).locator('[data-line="299"]')).toBeInViewport()
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(count)
  await expect.poll(() => topOf(page, 'ok 298 ')).toBe(before)

  await page.keyboard.press('o')
  const scroller = log(page).locator('[tabindex]').first()
  await scroller.hover()
  await page.mouse.wheel(0, -600)
  const first = () =>
    log(page).evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      const line = [...element.querySelectorAll('[data-line]')].find(
        (row) => row.getBoundingClientRect().bottom > top + 1,
      )
      return Number(line?.getAttribute('data-line'))
    })
  await expect.poll(first).toBeLessThan(280)
  await rest(page)
  const at = await first()
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(count)
  await expect.poll(first).toBe(at)
})

test('in the view of new lines, "all" means its lines: selected, copied, and as plain text @system', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  own(host)
  await go('/octocat/hello/42/1/1')
  await only(page).click()
  await row(page, 'retrying sadly').click({ position: { x: 200, y: 8 } })
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe('AssertionError: 3 !== 4\nretrying sadly\nleft a file behind')
  await page.getByRole('button', { name: 'Log options' }).click()
  await page.getByRole('menuitem', { name: 'Show as plain text' }).click()
  await expect(log(page).locator('pre')).toHaveText('AssertionError: 3 !== 4\nretrying sadly\nleft a file behind')
})

test('a search for a line that is not new shows all lines, with a message @system', async ({ page, host, go }) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  await only(page).click()
  await page.keyboard.press('/')
  await console(page).getByRole('searchbox').fill('sadly')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(3)
  await console(page).getByRole('searchbox').fill('ok 300 ')
  await page.keyboard.press('Enter')
  await expect(row(page, 'ok 300 ')).toBeInViewport()
  await expect(rows(page)).toHaveCount(count)
  await expect(console(page)).toContainText('Showing all lines, because the linked line is not new.')
  await expect(only(page)).toHaveAttribute('aria-pressed', 'false')
})

test('Enter before the first result moves to it when it arrives @system', async ({ page, host, go }) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  await console(page).getByRole('button', { name: 'Find in log' }).click()
  const field = console(page).getByRole('searchbox')
  await field.fill('lines that are not there')
  await expect(console(page)).toContainText('No results')
  // Both in one task, before the search can have results.
  await field.evaluate((input) => {
    if (!(input instanceof HTMLInputElement)) throw new Error('no field')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'retrying sadly')
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  await expect(console(page)).toContainText('1 of 1')
  await expect(row(page, 'retrying sadly')).toBeInViewport()
})

test('e moves through the error lines of the view, too @system', async ({ page, host, go }) => {
  own(host)
  await go('/octocat/hello/42/1/1')
  await only(page).click()
  await page.keyboard.press('e')
  await expect(log(page).locator('[data-telling]')).toHaveText(/^5AssertionError/)
  await expect(rows(page)).toHaveCount(3)
})

test('a step that never passed has no comparison, and one without new lines has no view of them @system', async ({
  page,
  host,
  go,
}) => {
  own(host)
  host.on(`GET ${base}/builds/42/logs/1/1/known`, fail(404, 'sql: no rows in result set'))
  await go('/octocat/hello/42/1/1')
  await expect(console(page)).toContainText('No successful run of this step to compare with')
  await expect(only(page)).toHaveCount(0)
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(250)

  host.on(`GET ${base}/builds/42/logs/1/1/known`, fail(500, 'The disk is full'))
  await page.reload()
  await expect(console(page)).toContainText('The comparison failed: The disk is full')
  own(host, successfulLog)
  await console(page).getByRole('button', { name: 'Try again' }).click()
  await expect(console(page)).toContainText('not in the last successful run (#41)')
  await page.reload()
  await expect(console(page)).toContainText('No new lines since the last successful run (#41)')
  await expect(marked(page)).toHaveCount(0)
  await expect(only(page)).toHaveCount(0)
})

test('a running or successful step has no new lines @system', async ({ page, host, go }) => {
  signedInAs(host, ours)
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await expect(console(page)).toContainText('Step is running...')
  await expect(console(page)).not.toContainText('successful run')
  withBuild(host)
  await go('/octocat/hello/42')
  await expect(console(page)).toContainText('Exit Code 0')
  expect(host.calls.filter(({ path }) => path.endsWith('/known'))).toEqual([])
})

test('after a step fails on the open page, the comparison is offered there @system', async ({ page, host, go }) => {
  const running = data.running()
  own(host)
  const known = host.answerTo(`GET ${base}/builds/42`)
  host.on(`GET ${base}/builds/42`, ok(running))
  await go('/octocat/hello/42/1/1')
  await expect(console(page)).toContainText('Step is running...')
  for (const line of failedLog.slice(0, 3)) await host.push('/api/stream/octocat/hello/42/1/1', line)
  await expect(rows(page)).toHaveCount(3)
  await expect(console(page)).not.toContainText('successful run')
  host.on(`GET ${base}/builds/42`, known)
  await host.eof('/api/stream/octocat/hello/42/1/1')
  await host.push('/api/stream', { ...data.repo(), build: { ...broken(), version: 9 } })
  await expect(console(page)).toContainText(sentence(3))
  await page.keyboard.press('o')
  await expect(rows(page)).toHaveCount(3)
  await expect(row(page, 'retrying sadly')).toBeInViewport()
})

for (const width of [1440, 768, 390])
  test(`nothing moves when the text about new lines appears (${width} px) @system`, async ({ page, host, go }) => {
    await page.setViewportSize({ width, height: 900 })
    own(host)
    const gate = latch()
    const known = host.answerTo(`GET ${base}/builds/42/logs/1/1/known`)
    host.on(`GET ${base}/builds/42/logs/1/1/known`, async (call) => {
      await gate.opened
      return known(call)
    })
    // A link to a line opens the console on a phone.
    await go('/octocat/hello/42/1/1#L442')
    await expect(console(page).getByText('Exit Code 1')).toBeVisible()
    await expect(console(page).getByRole('button', { name: 'Go to the cause' })).toBeVisible()
    await rest(page)
    const before = await box(log(page))
    gate.open()
    await expect(console(page)).toContainText(sentence(3))
    expect(await box(log(page))).toEqual(before)
  })

for (const colorScheme of ['light', 'dark'] as const)
  test(`the mark of a new line has enough contrast, and differs from the error line’s (${colorScheme}) @system`, async ({
    page,
    host,
    go,
  }) => {
    await page.emulateMedia({ colorScheme })
    own(host)
    await go('/octocat/hello/42/1/1')
    await page.getByRole('button', { name: 'Show all logs' }).click()
    await expect(marked(page)).toHaveCount(3)
    expect(await weakTexts(page, '[aria-label=Console]')).toEqual([])
    // Compares painted pixels: the first ones of the row with those of the row below.
    const edge = async (text: string) => {
      await row(page, text).scrollIntoViewIfNeeded()
      const { x, y } = await box(row(page, text))
      const shot = await page.screenshot({ clip: { x, y: y + 8, width: 2, height: 2 } })
      return page.evaluate(
        async (bytes) => {
          const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }))
          const canvas = new OffscreenCanvas(2, 2).getContext('2d')
          canvas?.drawImage(image, 0, 0)
          const part = (value = 0) =>
            value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
          const [r, g, b] = canvas?.getImageData(0, 0, 1, 1).data ?? []
          return { red: (r ?? 0) > (b ?? 0), light: 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) }
        },
        [...shot],
      )
    }
    const mark = await edge('retrying sadly')
    const ground = await edge('ok 300 ')
    expect((mark.light + 0.05) / (ground.light + 0.05)).toBeGreaterThan(3)
    expect(mark.red).toBe(false)
    expect((await edge('AssertionError')).red).toBe(true)
  })

test.describe('with any other server', () => {
  const compare = (page: Page) => console(page).getByRole('button', { name: /^Compare with the last successful run/ })
  const serveBuilds = (host: Host, builds = [data.build({ status: 'failure' }), data.build({ number: 41, id: 6 })]) => {
    withBuild(host, broken())
    host
      .on(`GET ${base}/builds`, ok(builds))
      .on(`GET ${base}/builds/41`, ok(data.oneStage({ number: 2 }, { number: 3, name: 'test' }, 'success')))
      .on(`GET ${base}/builds/42/logs/1/1`, ok(failedLog))
      .on(`GET ${base}/builds/41/logs/2/3`, ok(successfulLog))
  }

  test('the log of the last successful run is read on request, with at most three other calls @system', async ({
    page,
    host,
    go,
  }) => {
    serveBuilds(host)
    // After a stream that took long to open, the page reads everything again.
    await page.clock.setFixedTime(Date.now())
    await go('/octocat/hello')
    await page.getByRole('region', { name: 'Executions' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/hello\/42/)
    await expect(compare(page)).toHaveText('Compare with the last successful run (#41)')
    await expect(marked(page)).toHaveCount(0)
    const calls = host.calls.length
    expect(host.calls.filter(({ path }) => path.endsWith('/known') || path.includes('/builds/41'))).toEqual([])
    await compare(page).click()
    await expect(console(page)).toContainText(sentence(3))
    await expect(console(page).getByRole('link', { name: '#41' })).toHaveAttribute('href', '/octocat/hello/41/2/3')
    await expect(marked(page)).toHaveCount(3)
    expect(host.calls.slice(calls).map(({ path, query }) => `${path.slice(base.length)}${query}`)).toEqual([
      '/builds?branch=main&page=1&per_page=50',
      '/builds/41',
      '/builds/41/logs/2/3',
    ])
    await page.keyboard.press('o')
    await expect(rows(page)).toHaveCount(3)
  })

  test('by the key as well; a slow comparison can be stopped and requested again @system', async ({
    page,
    host,
    go,
  }) => {
    serveBuilds(host)
    const gate = latch()
    host.on(`GET ${base}/builds/41/logs/2/3`, async () => {
      await gate.opened
      return ok(successfulLog)
    })
    await go('/octocat/hello/42/1/1')
    await expect(compare(page)).toBeVisible()
    await page.keyboard.press('o')
    await expect(console(page).getByText('Reading the log of #41…')).toBeVisible()
    await console(page).getByRole('button', { name: 'Stop' }).click()
    await expect(compare(page)).toBeVisible()
    gate.open()
    await compare(page).click()
    await expect(console(page)).toContainText(sentence(3))
  })

  test('a missing, too long or broken log, or no successful run: a message says which @system', async ({
    page,
    host,
    go,
  }) => {
    serveBuilds(host)
    const words = async (text: string) => {
      await go('/octocat/hello/42/1/1')
      await compare(page).click()
      await expect(console(page)).toContainText(text)
      await expect(marked(page)).toHaveCount(0)
    }
    host.on(`GET ${base}/builds/41/logs/2/3`, fail(404, 'sql: no rows in result set'))
    await words('The log of the last successful run (#41) is no longer stored')
    host.on(`GET ${base}/builds/41/logs/2/3`, {
      status: 200,
      text: `[${'{"pos":0,"out":"a long line\\n","time":0},'.repeat(2e6)}`,
    })
    await words('The log of the last successful run (#41) is too long to compare')
    host.on(`GET ${base}/builds/41/logs/2/3`, { status: 200, text: '[{"pos":0,"out":"one' })
    await words('The log of the last successful run (#41) could not be read completely')
    host.on(`GET ${base}/builds/41`, ok(data.oneStage({}, { name: 'other' }, 'success')))
    await words('The last successful run (#41) does not have this step')
    host.on(`GET ${base}/builds`, ok([data.build({ status: 'failure' })]))
    await words('No earlier successful run in the recent builds of main')
    host.on(`GET ${base}/builds`, fail(500, 'The disk is full'))
    await words('The comparison failed: The disk is full')
    serveBuilds(host)
    await console(page).getByRole('button', { name: 'Try again' }).click()
    await expect(console(page)).toContainText(sentence(3))
  })
})
