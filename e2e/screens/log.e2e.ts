/**
 * The log: saved and live, its 250 lines, its tools, and the faults of the incumbent that it must
 * not have.
 */
import { endOfLog } from '@flightdeck/api'
import type { Page } from '@playwright/test'
import type { Host } from '../support/host.ts'
import { data, expect, ok, styleOf, test, withBuild } from '../support/screens.ts'

const log = '/api/repos/octocat/hello/builds/42/logs/1/1'
const stream = '/api/stream/octocat/hello/42/1/1'
const region = (page: Page) => page.getByRole('log')
const line = (page: Page, text: string) => region(page).getByText(text, { exact: true })
/** The element that scrolls the lines and receives keys. */
const scroller = (page: Page) => region(page).locator('[tabindex]').first()
/** The line at the top of the log's viewport. */
const topLine = (page: Page) =>
  scroller(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    const rows = [...element.querySelectorAll('[data-line]')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1)
    return Number(first?.getAttribute('data-line'))
  })
/** The height of the scroll range in pixels. */
const scrollHeight = (page: Page) => scroller(page).evaluate((element) => element.scrollHeight)
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const at = (pos: number, out: string) => ({ pos, out, time: pos })

test('[S2.build.25] [S9.constants.10] the last 250 lines, scrolled to their end, until a user requests all [F.log.7] [F.log.10]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(5000)))
  await go('/octocat/hello/42')
  await expect(line(page, 'line 5000')).toBeInViewport()
  const lines = region(page).locator('[data-line]')
  await expect(lines).toHaveCount(250)
  await expect(line(page, 'line 4751')).toHaveCount(1)
  await expect(line(page, 'line 4750')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(page.getByRole('button', { name: 'Show all logs' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Jump to top' }).click()
  await expect(line(page, 'line 1')).toBeInViewport()
  expect(await lines.count()).toBeLessThan(1000)
  await page.getByRole('button', { name: 'Jump to end' }).click()
  await expect(line(page, 'line 5000')).toBeInViewport()
})

test('[S2.build.25] [S9.constants.10] 250 lines are shown completely; of 251 lines the first is hidden until requested @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  const all = page.getByRole('button', { name: 'Show all logs' })
  const lines = region(page).locator('[data-line]')
  host.on(`GET ${log}`, ok(data.lines(250)))
  await go('/octocat/hello/42')
  await expect(line(page, 'line 250')).toBeInViewport()
  await expect(lines).toHaveCount(250)
  await expect(line(page, 'line 1')).toHaveCount(1)
  await expect(all).toHaveCount(0)
  host.on(`GET ${log}`, ok(data.lines(251)))
  await go('/octocat/hello/42')
  await expect(line(page, 'line 251')).toBeInViewport()
  await expect(lines).toHaveCount(250)
  await expect(line(page, 'line 1')).toHaveCount(0)
  await all.click()
  await expect(lines).toHaveCount(251)
  await expect(line(page, 'line 1')).toHaveCount(1)
  await expect(all).toHaveCount(0)
})

test('[S2.build.25] the limit of 250 lines applies to a live log as well @system', async ({ page, host, go }) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  for (let pos = 0; pos < 400; pos += 1) await host.push(stream, at(pos, `live ${pos + 1}\n`))
  await expect(line(page, 'live 400')).toBeVisible()
  await expect(region(page).locator('[data-line]')).toHaveCount(250)
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(line(page, 'live 1')).toHaveCount(1)
})

const cutAt = endOfLog(250 * 1024 * 1024)

test('a log truncated at its limit says so, with only its last lines and with all lines @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok([...data.lines(5000), { pos: 5000, out: cutAt, time: 9 }]))
  await go('/octocat/hello/42')
  const note = page.getByRole('status').getByText('Log truncated at 250 MB')
  await expect(page.getByRole('button', { name: 'Show all logs' })).toBeVisible()
  await expect(note).toBeInViewport()
  await expect(page.getByText('Exit Code 0')).toBeVisible()
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await page.getByRole('button', { name: 'Jump to top' }).click()
  await expect(line(page, 'line 1')).toBeInViewport()
  await expect(note).toBeInViewport()
})

test('a live log says that it is truncated immediately, and not before @system', async ({ page, host, go }) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, 'live 1\n'))
  await expect(line(page, 'live 1')).toBeVisible()
  await expect(page.getByText('Log truncated at')).toHaveCount(0)
  await host.push(stream, at(1, cutAt))
  await expect(page.getByRole('status').getByText('Log truncated at 250 MB')).toBeInViewport()
})

test('[S2.build.26] [S9.constants.26] the download is a text file with every line', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000)))
  await go('/octocat/hello/42')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download log' }).click(),
  ])
  // The file name, which the specification leaves open, says where the file is from.
  expect(download.suggestedFilename()).toBe('octocat-hello-42-1-1.log')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toBe(
    data
      .lines(1000)
      .map(({ out }) => out)
      .join(''),
  )
})

test('the tooltip of Find and the list of shortcuts say where its key works @system', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(3)))
  await go('/octocat/hello/42')
  // Tooltips are rendered by CSS.
  await expect(page.locator('[data-tip]:has(> [aria-label="Find in log"])')).toHaveAttribute(
    'data-tip',
    'Find in log (/)',
  )
  await expect(page.getByRole('log').getByText('line 3')).toBeVisible()
  // The key works on every build page; without lines it opens the search for builds, as on other
  // pages.
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Find in log' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Console' }).focus()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Find in log' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Build page: find in log')
  host.on(`GET ${log}`, ok([]))
  await go('/octocat/hello/42')
  await expect(page.getByRole('log').getByText('unit - test: success')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
})

test('[S4.states.10] [S4.states.36] [S4.states.37] [S7.calls.34] [S3.entities.7] a running step streams until eof', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, '\u001b[31mred words\u001b[0m\n'))
  await expect(line(page, 'red words')).toBeVisible()
  await expect(page.getByText('Step is running...')).toBeVisible()
  await host.push(stream, at(0, '\u001b[31mred words\u001b[0m\n'))
  await host.push(stream, at(1, 'next\n'))
  await expect(line(page, 'next')).toBeVisible()
  await expect(line(page, 'red words')).toHaveCount(1)
  expect(await styleOf(line(page, 'red words'), 'color')).not.toBe(await styleOf(line(page, 'next'), 'color'))
  const opened = () => host.calls.filter((call) => call.path === stream).length
  const before = opened()
  await host.eof(stream)
  await page.clock.runFor(60_000)
  await expect(line(page, 'next')).toBeVisible()
  expect(opened()).toBe(before)
  expect(host.made(`GET ${log}`)).toHaveLength(0)
})

test('[S4.states.38] a cut log stream is reopened, whatever the server responds meanwhile; duplicate lines are shown once [F.log.11] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, 'before\n'))
  await expect(line(page, 'before')).toBeVisible()
  host.cutStreams(502)
  await expect(page.getByText('Connection to the log lost. Reconnecting…')).toBeVisible()
  await expect.poll(() => host.calls.filter((call) => call.path === stream).length).toBeGreaterThan(2)
  host.cutStreams(200)
  await host.push(stream, at(0, 'before\n'))
  await host.push(stream, at(1, 'after\n'))
  await expect(line(page, 'after')).toBeVisible()
  await expect(line(page, 'before')).toHaveCount(1)
  await expect(page.getByText('Connection to the log lost. Reconnecting…')).toHaveCount(0)
})

test('[S4.states.38] an error other than eof in a log stream reopens it, even if the server keeps the connection @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, 'before\n'))
  await expect(line(page, 'before')).toBeVisible()
  const opened = () => host.calls.filter((call) => call.path === stream).length
  expect(opened()).toBe(1)
  await host.fail(stream)
  await expect.poll(opened).toBe(2)
  await host.push(stream, at(1, 'after\n'))
  await expect(line(page, 'after')).toBeVisible()
  await expect(line(page, 'before')).toHaveCount(1)
})

test('[S2.build.27] a debug session is linked: in debug mode, while the step runs, and to exactly the URL in the line @system', async ({
  page,
  host,
  go,
}) => {
  const link = page.locator('a[href="https://tmate.example.com/t/abc"]')
  const session = 'web session: https://tmate.example.com/t/abc\n'
  withBuild(host, data.running({ debug: true }))
  await go('/octocat/hello/42')
  await host.push(stream, at(0, `no ${session}`))
  await host.push(stream, at(1, 'plain\n'))
  await expect(line(page, 'plain')).toBeVisible()
  await expect(page.getByRole('link', { name: /debug session/i })).toHaveCount(0)
  await host.push(stream, at(2, session))
  await expect(page.getByRole('link', { name: /debug session/i })).toHaveAttribute(
    'href',
    'https://tmate.example.com/t/abc',
  )
  withBuild(host, data.running({ debug: false }))
  await go('/octocat/hello/42')
  await host.push(stream, at(0, session))
  await expect(region(page)).toContainText('web session')
  await expect(page.getByRole('link', { name: /debug session/i })).toHaveCount(0)
  withBuild(host, data.detail({ debug: true }))
  host.on(`GET ${log}`, ok([at(0, session)]))
  await go('/octocat/hello/42')
  await expect(region(page)).toContainText('web session')
  await expect(page.getByRole('link', { name: /debug session/i })).toHaveCount(0)
  await expect(link).toHaveCount(1)
})

test('find: by typing, over all lines, with Enter and the arrows [F.log.1]', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000, (index) => (index % 400 === 10 ? `needle ${index}` : `hay ${index}`))))
  await go('/octocat/hello/42')
  await expect(line(page, 'hay 999')).toBeVisible()
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.getByRole('searchbox', { name: 'Find in log' }).fill('needle')
  const bar = page.getByRole('search', { name: 'Find in log' })
  await expect(bar).toContainText(/3/)
  await page.keyboard.press('Enter')
  await expect(bar).toContainText(/of 3/)
  await expect(region(page).locator('mark').first()).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
})

test('a line has a URL that opens and marks it; its number is reachable by keyboard [F.log.2] [F.keyboard.13] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000)))
  await go('/octocat/hello/42/1/1#L120-L122')
  await expect(line(page, 'line 121')).toBeInViewport()
  await expect(region(page).locator('[data-marked]')).toHaveCount(3)
  const number = region(page).getByRole('link', { name: '125', exact: true })
  await number.focus()
  await expect(number).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#L125$/)
  await expect(region(page).locator('[data-marked]')).toHaveCount(1)
  // The same URL opens the line again after another line was marked.
  for (let turn = 0; turn < 2; turn += 1) {
    await page.getByRole('button', { name: 'Jump to end' }).click()
    await region(page).getByRole('link', { name: '1000', exact: true }).click()
    await expect(line(page, 'line 121')).not.toBeInViewport()
    await page.evaluate(() => (location.hash = '#L120-L122'))
    await expect(line(page, 'line 121')).toBeInViewport()
  }
})

test('in a log higher than the browser’s maximum height, the visible text stays in place [F.log.2] [F.log.7] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(450_000)))
  await go('/octocat/hello/42')
  await expect(line(page, 'line 450000')).toBeInViewport()
  await region(page).hover()
  await page.mouse.wheel(0, -1000)
  await expect(line(page, 'line 450000')).not.toBeInViewport()
  const before = await topLine(page)
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(page.getByRole('button', { name: 'Show all logs' })).toHaveCount(0)
  await expect(region(page).locator('[data-line]', { hasText: `line ${before + 1}` })).toBeInViewport()
  expect(await topLine(page)).toBe(before)
  // While loading it exceeds the height at which the scroll range is scaled.
  await go('/octocat/hello/42#L500')
  await page.reload()
  await expect(line(page, 'line 500')).toBeInViewport()
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  await expect.poll(() => scrollHeight(page)).toBe(8_000_000)
  await expect(line(page, 'line 500')).toBeInViewport()
  // A pixel of the scroll bar is more than a pixel of text there; wheel and keys still move the
  // text by the usual distance.
  const y = async () => (await line(page, 'line 500').boundingBox())?.y ?? 0
  const start = await y()
  await region(page).hover()
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 1)
  await expect.poll(async () => Math.abs(start - 20 - (await y()))).toBeLessThan(1.5)
  await scroller(page).focus()
  await page.keyboard.press('PageUp')
  const height = await scroller(page).evaluate((element) => element.clientHeight)
  const up = Math.max(height * 0.875, height - 40)
  const row = region(page).locator(`[data-line="${499 - Math.ceil(up / 20)}"]`)
  await expect(row).toBeInViewport()
  await page.keyboard.press('PageDown')
  await expect.poll(async () => Math.abs(start - 20 - (await y()))).toBeLessThan(1.5)
  await page.keyboard.press('Home')
  await expect.poll(() => topLine(page)).toBe(0)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => topLine(page)).toBe(2)
  await page.keyboard.press('Home')
  await expect.poll(() => topLine(page)).toBe(0)
  // If the browser animates the scrolling, nothing else moves the scroll bar meanwhile.
  for (let turn = 0; turn < 3; turn += 1) {
    for (let down = 0; down < 10; down += 1) await page.keyboard.press('PageDown')
    await expect.poll(() => topLine(page)).toBeGreaterThan(200)
    await page.keyboard.press('Control+Home')
    await expect.poll(() => scroller(page).evaluate((element) => element.scrollTop)).toBe(0)
  }
})

test('on a phone, where lines wrap, the line in a link is visible as well [F.log.2] [F.log.3] @system', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  withBuild(host)
  const long = 'with words that fill three rows of a phone '.repeat(2)
  host.on(`GET ${log}`, ok(Array.from({ length: 5000 }, (_, pos) => at(pos, `line ${pos + 1} ${long}\n`))))
  await go('/octocat/hello/42#L4000')
  // Only then are the heights of the lines known.
  await expect.poll(() => scrollHeight(page)).toBeGreaterThan(250_000)
  await expect(region(page).locator('[data-marked]')).toBeInViewport()
})

for (const motion of ['reduce', 'no-preference'] as const)
  test(`on a phone the line in a link stays in view when the texts above it arrive (motion: ${motion}) @system`, async ({
    page,
    host,
    go,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ reducedMotion: motion })
    withBuild(host)
    const long = 'with words that fill three rows of a phone '.repeat(2)
    host.on(`GET ${log}`, ok(Array.from({ length: 700 }, (_, pos) => at(pos, `line ${pos + 1} ${long}\n`))))
    // In the middle, and where it would be in view if lines did not wrap.
    for (const line of [280, 680]) {
      await go(`/octocat/hello/42#L${line}`)
      await expect(region(page).locator('[data-line="0"]')).toContainText('fill three rows')
      await expect.poll(() => scrollHeight(page)).toBeGreaterThan(35_000)
      await expect(region(page).locator('[data-marked]')).toBeInViewport({ ratio: 1 })
    }
  })

test('wrap and times can be switched, and are remembered [F.log.3] @system', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok([{ pos: 0, out: `${'wide '.repeat(400)}\n`, time: 7 }]))
  await go('/octocat/hello/42')
  const text = region(page).locator('[data-line]').first()
  await expect(text).toContainText('wide')
  const height = async () => (await text.boundingBox())?.height ?? 0
  const narrow = await height()
  await expect(text).toContainText('7s')
  await page.getByRole('button', { name: 'Wrap lines' }).click()
  await expect.poll(height).toBeGreaterThan(narrow * 2)
  await page.getByRole('button', { name: 'Show times' }).click()
  await expect(text).not.toContainText('7s')
  await page.reload()
  await expect(text).toContainText('wide')
  expect(await height()).toBeGreaterThan(narrow * 2)
  await expect(text).not.toContainText('7s')
})

test('the page opens at the failed step, and the log at its end [F.log.4]', async ({ page, host, go }) => {
  withBuild(
    host,
    data.detail({
      status: 'failure',
      stages: [
        data.stage(),
        data.stage({
          number: 2,
          name: 'browser',
          status: 'failure',
          steps: [data.step({ name: 'click', status: 'failure', exit_code: 2 })],
        }),
      ],
    }),
  )
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'click failed in browser' }).click()
  await expect(page).toHaveURL(/\/42\/2\/1$/)
  await expect(page.getByText('Exit Code 2')).toBeVisible()
})

test('URLs are links, markup is text, a carriage return overwrites, colors span lines [F.log.5] [F.log.6] [F.log.9] [F.log.13]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, 'see https://example.com/a?b=c for more\n'))
  await host.push(stream, at(1, '<b id="evil">bold</b>\n'))
  await host.push(stream, at(2, 'progress 10%\rprogress 99%\n'))
  await host.push(stream, at(3, '\u001b[35mpurple begins\n'))
  await host.push(stream, at(4, 'purple goes on\n'))
  await host.push(stream, at(5, '\u001b[0mplain again\n'))
  await expect(region(page).getByRole('link', { name: 'https://example.com/a?b=c' })).toHaveAttribute(
    'href',
    'https://example.com/a?b=c',
  )
  await expect(line(page, '<b id="evil">bold</b>')).toBeVisible()
  await expect(page.locator('#evil')).toHaveCount(0)
  await expect(line(page, 'progress 99%')).toBeVisible()
  await expect(region(page).getByText('progress 10%')).toHaveCount(0)
  await expect(line(page, 'plain again')).toBeVisible()
  const colour = (text: string) => styleOf(line(page, text), 'color')
  expect(await colour('purple goes on')).toBe(await colour('purple begins'))
  expect(await colour('plain again')).not.toBe(await colour('purple begins'))
})

test('a live log follows its end, stops following on scrolling up, and follows again at the end [F.log.8]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  for (let pos = 0; pos < 120; pos += 1) await host.push(stream, at(pos, `live ${pos + 1}\n`))
  await expect(line(page, 'live 120')).toBeInViewport()
  const follow = page.getByRole('button', { name: 'Follow' })
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await line(page, 'live 115').hover()
  await page.mouse.wheel(0, -900)
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await host.push(stream, at(120, 'live 121\n'))
  await expect(line(page, 'live 121')).toHaveCount(1)
  await expect(line(page, 'live 121')).not.toBeInViewport()
  await page.mouse.wheel(0, 9_000)
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await host.push(stream, at(121, 'live 122\n'))
  await expect(line(page, 'live 122')).toBeInViewport()
})

/**
 * Sends `lines` lines "live 1", "live 2", … at once, then pauses for `every` milliseconds, and so
 * on. `stop` returns their number.
 */
const startRush = (host: Host, { lines, every }: { lines: number; every: number }) => {
  let pos = 0
  const over = new AbortController()
  const run = async () => {
    while (!over.signal.aborted) {
      for (const last = pos + lines; pos < last; pos += 1) await host.push(stream, at(pos, `live ${pos + 1}\n`))
      await new Promise((resolve) => setTimeout(resolve, every))
    }
    return pos
  }
  const done = run()
  return {
    sent: () => pos,
    stop: () => {
      over.abort()
      return done
    },
  }
}

test('while many lines arrive, one turn of the wheel stops following, and End moves to the current end [F.log.8] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  const liveLines = startRush(host, { lines: 40, every: 10 })
  const follow = page.getByRole('button', { name: 'Follow' })
  await expect.poll(() => topLine(page)).toBeGreaterThan(3000)
  await region(page).hover()
  for (let turn = 0; turn < 5; turn += 1) {
    await page.mouse.wheel(0, -100)
    await expect(follow).toHaveAttribute('aria-pressed', 'false')
    const then = liveLines.sent()
    await expect.poll(liveLines.sent).toBeGreaterThan(then + 200)
    expect(await topLine(page)).toBeLessThan(then)
    await scroller(page).press('End')
    await expect(follow).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => topLine(page)).toBeGreaterThan(then)
  }
  await expect(line(page, `live ${await liveLines.stop()}`)).toBeInViewport()
})

test('while many lines arrive with all lines shown, a turn of the wheel keeps the text in place, and the count is correct [F.log.8] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  const liveLines = startRush(host, { lines: 60, every: 5 })
  const follow = page.getByRole('button', { name: 'Follow' })
  await expect.poll(() => topLine(page)).toBeGreaterThan(2000)
  const counts = await page.getByText(/^Last/).evaluate(async (element) => {
    const seen = new Set<string>()
    for (let frame = 0; frame < 30; frame++) {
      await new Promise(requestAnimationFrame)
      seen.add(element.textContent.replace(/ of .*/, ''))
    }
    return [...seen]
  })
  expect(counts).toEqual(['Last 250'])
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(page.getByRole('button', { name: 'Show all logs' })).toHaveCount(0)
  await region(page).hover()
  // The top line at the moment of the wheel event.
  const top = await scroller(page).evaluateHandle((element) => {
    const seen = { line: 0 }
    const check = () => {
      const { top } = element.getBoundingClientRect()
      const rows = [...element.querySelectorAll('[data-line]')]
      seen.line = Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.getAttribute('data-line'))
    }
    element.addEventListener('wheel', check, { capture: true, passive: true })
    return seen
  })
  for (let turn = 0; turn < 3; turn += 1) {
    const then = liveLines.sent()
    await expect.poll(liveLines.sent).toBeGreaterThan(then + 600)
    await page.mouse.wheel(0, -100)
    await expect(follow).toHaveAttribute('aria-pressed', 'false')
    const seen = await top.evaluate(({ line }) => line)
    // The wheel itself moves five rows, of which a part may already be visible.
    await expect.poll(async () => Math.abs(seen - (await topLine(page)) - 3)).toBeLessThanOrEqual(3)
    await scroller(page).press('End')
    await expect(follow).toHaveAttribute('aria-pressed', 'true')
  }
  await expect(line(page, `live ${await liveLines.stop()}`)).toBeInViewport()
})

test('the log is a named region, announced while it is followed, and copied without line numbers [F.keyboard.11] [F.log.14] @system', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await host.push(stream, at(0, '\u001b[32mone\u001b[0m\n'))
  await host.push(stream, at(1, 'two\n'))
  await expect(page.getByRole('log', { name: 'Log of test' })).toHaveAttribute('aria-live', 'polite')
  await expect(line(page, 'two')).toBeVisible()
  await line(page, 'two').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  expect((await copied(page)).trim()).toBe('one\ntwo')
})

test('a selection spans thousands of lines that are not rendered [F.log.14] @system', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(20_000)))
  await go('/octocat/hello/42#L10')
  // While lines arrive quickly, rows change their texts, which would end the selection.
  const drawn = () => region(page).locator('[data-line]').count()
  const inWindow = await scroller(page).evaluate((element) => element.clientHeight / 20)
  await expect.poll(drawn).toBeGreaterThan(inWindow + 8)
  await line(page, 'line 10').click({ position: { x: 2, y: 8 } })
  // Scrolls by wheel, so that the lines in between are rendered, more than the page keeps.
  for (let turned = 0; turned < 120; turned++) {
    await page.mouse.wheel(0, 1000)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await expect(line(page, 'line 6010')).toBeInViewport()
  await line(page, 'line 6010').click({ modifiers: ['Shift'], position: { x: 30, y: 8 } })
  await page.keyboard.press('Control+C')
  await expect.poll(async () => (await copied(page)).split('\n').length).toBe(6001)
  expect((await copied(page)).slice(0, 16)).toBe('line 10\nline 11\n')
})
