/** Graph view: two graphs in a splitter, their nodes, zoom and the step drawer (specification §2). */
import type { Locator, Page } from '@playwright/test'
import { graphOf, shapes } from '../support/graphs.ts'
import { box, data, expect, fitsWidth, graphView, rest, styleOf, test, withBuild } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const graph = (page: Page, of: 'Stage' | 'Step') => page.getByRole('region', { name: `${of} graph` })
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Step info' })

/** `lint` and `unit` side by side, then `deploy` with two steps. */
function diamond(host: Host): void {
  const done = { started: data.now - 200, stopped: data.now - 136 }
  withBuild(
    host,
    data.detail({
      stages: [
        data.stage({ name: 'lint', ...done }),
        data.stage({ number: 2, name: 'unit' }),
        data.stage({
          number: 3,
          name: 'deploy',
          depends_on: ['lint', 'unit'],
          steps: [
            data.step({ number: 1, name: 'ship', started: 1_700_000_000, stopped: 1_700_000_075 }),
            data.step({ number: 2, name: 'tell', status: 'running', stopped: undefined }),
            data.step({ number: 3, name: 'rest', status: 'pending', started: undefined, stopped: undefined }),
          ],
        }),
      ],
    }),
  )
}

test('[S2.build.8] stages above, steps below: half each, 190 px at least', async ({ page, host, go }) => {
  diamond(host)
  await go('/octocat/hello/42')
  await graphView(page).click()
  const splitter = page.getByRole('separator', { name: /stage graph/i })
  const heights = async () =>
    [(await box(graph(page, 'Stage'))).height, (await box(graph(page, 'Step'))).height] as const
  await expect(graph(page, 'Step')).toBeVisible()
  const [first, second] = await heights()
  expect(Math.abs(first - second)).toBeLessThanOrEqual(2)
  expect((await box(graph(page, 'Stage'))).y).toBeLessThan((await box(graph(page, 'Step'))).y)
  for (const [distance, pane] of [
    [-1000, 0],
    [1000, 1],
  ] as const) {
    const bar = await box(splitter)
    await page.mouse.move(bar.x + 200, bar.y)
    await page.mouse.down()
    await page.mouse.move(bar.x + 200, bar.y + distance, { steps: 4 })
    await page.mouse.up()
    const after = await heights()
    expect(Math.abs((after[pane] ?? 0) - 190)).toBeLessThanOrEqual(1)
    expect(Math.abs(after[0] + after[1] - first - second)).toBeLessThanOrEqual(2)
  }
  await expect(splitter).toHaveAttribute('aria-valuemin', '190')
})

test('[S2.build.9] [S2.build.10] [S2.build.11] [S2.build.29] [S2.build.30] choosing a stage or a step goes there and opens its drawer', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await go('/octocat/hello/42')
  await graphView(page).click()
  await expect(drawer(page)).toHaveCount(0)
  await graph(page, 'Stage')
    .getByRole('link', { name: /deploy/ })
    .click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/3\/1\?view=graph/)
  await expect(drawer(page)).toContainText('ship')
  await expect(drawer(page)).toContainText('success')
  await expect(drawer(page).getByText('Started', { exact: true })).toBeVisible()
  await expect(drawer(page).getByText('Nov 14, 2023, 10:13 PM')).toBeVisible()
  await expect(drawer(page).getByText('Finished', { exact: true })).toBeVisible()
  await expect(drawer(page).getByText('Nov 14, 2023, 10:14 PM')).toBeVisible()
  await expect(drawer(page).getByText('1m 15s')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await graph(page, 'Step').getByRole('link', { name: /tell/ }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/3\/2\?view=graph/)
  await expect(drawer(page)).toContainText('running')
  await expect(drawer(page).getByText('Duration')).toBeVisible()
  await expect(drawer(page).getByText('Finished', { exact: true })).toHaveCount(0)
  await graph(page, 'Step').getByRole('link', { name: /rest/ }).click()
  await expect(drawer(page)).toContainText('Step data is unavailable')
  await expect(drawer(page).getByText('Started', { exact: true })).toHaveCount(0)
})

test('[S2.build.12] [S2.build.30] what is skipped, declined or waits cannot be chosen; a blocked stage can, without data', async ({
  page,
  host,
  go,
}) => {
  const stages = ['skipped', 'declined', 'waiting_on_dependencies', 'blocked', 'pending'] as const
  withBuild(
    host,
    data.detail({
      status: 'pending',
      stages: stages.map((status, index) => data.stage({ number: index + 1, name: `is-${status}`, status, steps: [] })),
    }),
  )
  await go('/octocat/hello/42/4')
  await graphView(page).click()
  await expect(graph(page, 'Stage').getByText('is-skipped')).toBeVisible()
  for (const status of ['skipped', 'declined', 'waiting_on_dependencies']) {
    await expect(graph(page, 'Stage').getByRole('link', { name: new RegExp(`is-${status}`) })).toHaveCount(0)
    await graph(page, 'Stage').getByText(`is-${status}`).click({ force: true })
    await expect(page).toHaveURL(/\/octocat\/hello\/42\/4\?view=graph$/)
  }
  for (const [status, number] of [
    ['pending', 5],
    ['blocked', 4],
  ] as const) {
    await graph(page, 'Stage')
      .getByRole('link', { name: new RegExp(`is-${status}`) })
      .click()
    await expect(page).toHaveURL(new RegExp(`/octocat/hello/42/${number}/1\\?view=graph`))
    await expect(drawer(page)).toContainText('Step data is unavailable')
    await page.keyboard.press('Escape')
  }
})

test('[S2.build.13] [S9.constants.15] each graph has its own zoom: in and out by 20, reset to 100, to fit', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await go('/octocat/hello/42')
  await graphView(page).click()
  const node = graph(page, 'Stage').getByRole('link', { name: /lint/ })
  const natural = (await box(node)).width
  const press = (name: string) => graph(page, 'Stage').getByRole('button', { name }).click()
  const level = (of: 'Stage' | 'Step') => graph(page, of).getByRole('status', { name: 'Zoom level' })
  await expect(level('Stage')).toHaveText('100%')
  for (const [name, percent] of [
    ['Zoom in', 120],
    ['Zoom in', 140],
    ['Zoom out', 120],
    ['Reset zoom', 100],
    ['Zoom out', 80],
    ['Zoom out', 60],
  ] as const) {
    await press(name)
    await expect(level('Stage')).toHaveText(`${percent}%`)
    expect(Math.abs((await box(node)).width - (natural * percent) / 100)).toBeLessThan(1)
  }
  await expect(level('Step')).toHaveText('100%')
  for (let more = 0; more < 8; more++) await press('Zoom in')
  await press('Zoom to fit')
  const around = await box(graph(page, 'Stage'))
  for (const name of [/lint/, /unit/, /deploy/]) {
    const place = await box(graph(page, 'Stage').getByRole('link', { name }))
    expect(place.x).toBeGreaterThanOrEqual(around.x)
    expect(place.x + place.width).toBeLessThanOrEqual(around.x + around.width)
    expect(place.y).toBeGreaterThanOrEqual(around.y)
    expect(place.y + place.height).toBeLessThanOrEqual(around.y + around.height)
  }
})

test('[S2.build.14] [S2.build.15] [S2.build.16] [S2.build.17] [S9.constants.17] from left to right, 35 between nodes and 75 between ranks, a start and a stop', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await page.setViewportSize({ width: 1440, height: 900 })
  await go('/octocat/hello/42')
  await graphView(page).click()
  const stages = graph(page, 'Stage')
  const [lint, unit, deploy, start, stop] = await Promise.all([
    box(stages.getByRole('link', { name: /lint/ })),
    box(stages.getByRole('link', { name: /unit/ })),
    box(stages.getByRole('link', { name: /deploy/ })),
    box(stages.getByRole('img', { name: 'Start' })),
    box(stages.getByRole('img', { name: 'Stop' })),
  ])
  expect(lint.x).toBeCloseTo(unit.x, 0)
  expect(unit.y - (lint.y + lint.height)).toBeCloseTo(35, 0)
  expect(lint.x - (start.x + start.width)).toBeCloseTo(75, 0)
  expect(deploy.x - (lint.x + lint.width)).toBeCloseTo(75, 0)
  expect(stop.x - (deploy.x + deploy.width)).toBeCloseTo(75, 0)
  // Two lines leave the start, two enter `deploy`, one leaves it.
  const lines = stages.locator('svg[aria-hidden=true] > path[stroke-width]')
  const drawn = () =>
    lines.evaluateAll(
      (paths) =>
        paths
          .map((path) => path.getAttribute('d'))
          .join(' ')
          .match(/M/g)?.length,
    )
  await expect.poll(drawn).toBe(5)
})

test('[S2.build.18] without dependencies the nodes are a chain in their order [F.graph.2]', async ({
  page,
  host,
  go,
}) => {
  const time = { started: data.now - 200, stopped: data.now - 136 }
  withBuild(
    host,
    data.detail({
      stages: [data.stage({ number: 2, name: 'second', ...time }), data.stage({ number: 1, name: 'first', ...time })],
    }),
  )
  await go('/octocat/hello/42')
  await graphView(page).click()
  const stages = graph(page, 'Stage')
  const places = await Promise.all(
    ['first', 'second'].map((name) => box(stages.getByRole('link', { name: new RegExp(name) }))),
  )
  expect((places[1]?.x ?? 0) - (places[0]?.x ?? 0)).toBeGreaterThan(200)
  expect(places[1]?.y).toBeCloseTo(places[0]?.y ?? 0, 0)
  await expect(stages.getByRole('link', { name: /first/ })).toContainText('1m 04s')
})

test('the graph works by keyboard; the mark outlives a reload, and Back leads back [F.graph.1] [F.graph.3] [F.graph.4]', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await go('/octocat/hello/42')
  await graphView(page).focus()
  await page.keyboard.press('Enter')
  const deploy = graph(page, 'Stage').getByRole('link', { name: /deploy/ })
  await expect(deploy).toBeVisible()
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab')
    if (await deploy.evaluate((element) => element === document.activeElement)) break
  }
  await expect(deploy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/42\/3\/1\?view=graph/)
  await expect(drawer(page)).toBeVisible()
  await page.reload()
  await expect(deploy).toHaveAttribute('aria-current', 'true')
  await expect(graph(page, 'Step').getByRole('link', { name: /ship/ })).toHaveAttribute('aria-current', 'true')
  await expect(graph(page, 'Stage').getByRole('link', { name: /lint/ })).not.toHaveAttribute('aria-current', 'true')
  const room = graph(page, 'Stage').getByRole('group')
  await room.focus()
  await page.keyboard.press('+')
  await expect(graph(page, 'Stage').getByRole('status', { name: 'Zoom level' })).toHaveText('120%')
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\?view=graph(&stages=120-\d+-\d+)?$/)
  await expect(graph(page, 'Stage').getByRole('link', { name: /lint/ })).toHaveAttribute('aria-current', 'true')
})

test('the chosen stage of a long chain is in sight, also after Back', async ({ page, host, go }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  withBuild(
    host,
    data.detail({ stages: numbers.map((number) => data.stage({ number, name: `s${number}`, steps: [] })) }),
  )
  await go('/octocat/hello/42/98')
  await graphView(page).click()
  const stage = (name: string) => graph(page, 'Stage').getByRole('link', { name, exact: false })
  // It is among those that are drawn later, for a hundred are drawn in slices.
  await expect(stage('s98')).toBeInViewport({ ratio: 1 })
  await stage('s2').first().press('Enter')
  await expect(page).toHaveURL(/\/42\/2\/1\?view=graph/)
  await page.goBack()
  await expect(stage('s98')).toHaveAttribute('aria-current', 'true')
  await expect(stage('s98')).toBeInViewport({ ratio: 1 })
})

test('[S2.build.2] the chosen view is remembered, also for other builds', async ({ page, host, go }) => {
  diamond(host)
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Log View' })).toHaveAttribute('aria-pressed', 'true')
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.reload()
  await expect(graph(page, 'Stage')).toBeVisible()
  withBuild(host, data.detail({ number: 43, id: 8 }))
  await go('/octocat/hello/43')
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.getByRole('button', { name: 'Log View' }).click()
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Pipeline stages' })).toBeVisible()
})

test('the graph’s code comes when the graph is asked for [F.start.2] [F.start.3] [F.start.4]', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await go('/octocat/hello/42')
  await expect(page.getByText('Pipeline stages')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const before = asked.length
  expect(asked.filter((address) => /graph|dagre|layout/i.test(address))).toEqual([])
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  expect(asked.slice(before).filter((address) => address.endsWith('.js')).length).toBeGreaterThan(0)
  // Nothing comes from anywhere else, and letters can be read while their font is on its way.
  expect(asked.filter((address) => !address.startsWith(host.origin) && !address.startsWith('blob:'))).toEqual([])
  const fonts = await page.evaluate(() =>
    // The stand-in is a font of the machine, measured like ours.
    [...document.fonts].filter((font) => !font.family.includes('Fallback')).map((font) => font.display),
  )
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter((display) => display !== 'swap' && display !== 'fallback' && display !== 'optional')).toEqual([])
  expect(asked.filter((address) => /\.(ttf|otf)$/.test(address))).toEqual([])
})

test('the view is in the address: reload and whoever is sent it land there, and Back leads out of it', async ({
  page,
  host,
  go,
  browser,
}) => {
  diamond(host)
  await go('/octocat/hello')
  await page.getByRole('link', { name: /#42/ }).first().click()
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/\d\/\d\?view=graph$/)
  const friend = await browser.newPage()
  await friend.goto(page.url())
  await expect(graph(friend, 'Stage')).toBeVisible()
  // Somebody else's view is not a choice of his.
  await friend.goto(`${host.origin}/octocat/hello/42`)
  await expect(friend.getByRole('navigation', { name: 'Pipeline stages' })).toBeVisible()
  await friend.close()
  await page.getByRole('button', { name: 'Log View' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/\d\/\d\?view=log$/)
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
})

test('the graph that was chosen before says so in the address, and a link to a line of the log shows the log', async ({
  page,
  host,
  go,
}) => {
  diamond(host)
  await go('/octocat/hello/42/3/1')
  await graphView(page).click()
  await expect(graph(page, 'Stage')).toBeVisible()
  await go('/octocat/hello/42/2/1')
  await expect(graph(page, 'Stage')).toBeVisible()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/2\/1\?view=graph$/)
  await page.keyboard.press(']')
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/3\/1\?view=graph$/)
  await expect(graph(page, 'Stage')).toBeVisible()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(page).toHaveURL(/\/42\/3\/1\?view=graph&details$/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/42\/3\/1\?view=graph$/)
  await go('/octocat/hello/42/3/1#L2')
  await expect(page.getByRole('region', { name: 'Console' })).toBeVisible()
  await expect(graph(page, 'Stage')).toHaveCount(0)
})

const shapeSizes = [5, 9, 32, 60] as const
const pane = (page: Page, of: 'Stage' | 'Step') => graph(page, of).getByRole('group', { name: /arrows move it/ })
const level = async (page: Page, of: 'Stage' | 'Step') =>
  Number((await graph(page, of).getByRole('status', { name: 'Zoom level' }).textContent())?.replace('%', ''))
const node = (page: Page, name: string) =>
  graph(page, 'Stage').getByRole('link', { name: new RegExp(`^\\S+ ${name} [\\d–]`) })
type Place = Awaited<ReturnType<typeof box>>
const middle = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 })
const holds = (around: Place, inner: Place) =>
  inner.x >= around.x - 1 &&
  inner.y >= around.y - 1 &&
  inner.x + inner.width <= around.x + around.width + 1 &&
  inner.y + inner.height <= around.y + around.height + 1
const meet = (a: Place, b: Place) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** In the middle of its pane; near its ends a graph cannot be moved so far. */
const expectCentred = async (page: Page, name: string) => {
  const [around, inner] = [middle(await box(pane(page, 'Stage'))), middle(await box(node(page, name)))]
  expect(Math.abs(around.x - inner.x), name).toBeLessThan(20)
  expect(Math.abs(around.y - inner.y), name).toBeLessThan(20)
}

test('each graph opens whole, and never below 70 %: then at the node that was chosen, failed or runs', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const size of [5, 9] as const) {
    withBuild(host, data.detail({ stages: graphOf(size) }))
    await go('/octocat/hello/42?view=graph')
    await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(size)
    expect(await level(page, 'Stage')).toBeGreaterThanOrEqual(70)
    const around = await box(pane(page, 'Stage'))
    for (const one of await graph(page, 'Stage').getByRole('link').all())
      expect(holds(around, await box(one))).toBe(true)
    await expect(graph(page, 'Stage').locator('[data-overview]')).toHaveCount(0)
  }
  const big = (over?: Parameters<typeof graphOf>[1], path = '') => {
    withBuild(host, data.detail({ status: 'running', stages: graphOf(60, over) }))
    return go(`/octocat/hello/42${path}?view=graph`)
  }
  await big((name) => (name === 'e2e-4' ? { status: 'failure' } : name === 'e2e-7' ? { status: 'running' } : {}))
  await expect(node(page, 'e2e-4')).toBeVisible()
  expect(await level(page, 'Stage')).toBe(70)
  await expectCentred(page, 'e2e-4')
  await big((name) => (name === 'e2e-7' ? { status: 'running' } : {}))
  await expectCentred(page, 'e2e-7')
  await big((name) => (name === 'e2e-4' ? { status: 'failure' } : {}), '/43/1')
  await expectCentred(page, 'e2e-7')
})

for (const size of shapeSizes)
  test(`${size} stages stand in columns by depth, each right of what it waits for, and lines only go onwards`, async ({
    page,
    host,
    go,
  }) => {
    withBuild(host, data.detail({ stages: graphOf(size) }))
    await page.setViewportSize({ width: 1440, height: 900 })
    await go('/octocat/hello/42?view=graph')
    await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(size)
    const scale = (await level(page, 'Stage')) / 100
    const lefts = new Map<string, number>()
    for (const [name] of shapes[size]) lefts.set(name, (await box(node(page, name))).x)
    const first = Math.min(...lefts.values())
    const columns = new Map<string, number>()
    for (const [name, ...needs] of shapes[size]) {
      const depth = Math.max(-1, ...needs.map((need) => columns.get(need) ?? 0)) + 1
      columns.set(name, depth)
      expect(((lefts.get(name) ?? 0) - first) / scale, name).toBeCloseTo(depth * 275, -1)
    }
    // Each line's points, from left to right.
    const back = await graph(page, 'Stage')
      .locator('svg[aria-hidden=true] > path[stroke-width]')
      .evaluateAll((paths) =>
        paths
          .flatMap((path) => (path.getAttribute('d') ?? '').split('M').filter(Boolean))
          .filter((line) => {
            const numbers = [...line.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text))
            const xs = numbers.filter((_, index) => index % 2 === 0)
            return xs.some((x, index) => index > 0 && x < (xs[index - 1] ?? 0) - 1)
          }),
      )
    expect(back).toEqual([])
  })

test('an overview of sixty stages shows where one is, and a press or a drag on it goes elsewhere', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeInViewport()
  await expect(node(page, 'notify')).not.toBeInViewport()
  const overview = graph(page, 'Stage').locator('[data-overview]')
  const seen = overview.locator('rect')
  const place = await box(overview)
  const before = await box(seen)
  expect(before.x + before.width / 2).toBeLessThan(place.x + place.width / 2)
  const at = (part: number) => [place.x + place.width * part, place.y + place.height / 3] as const
  await page.mouse.move(...at(0.5))
  await page.mouse.down()
  await page.mouse.move(...at(0.97), { steps: 5 })
  await page.mouse.up()
  await expect(node(page, 'notify')).toBeInViewport()
  await expect(node(page, 'lint-1')).not.toBeInViewport()
  const after = await box(seen)
  expect(after.x + after.width / 2).toBeGreaterThan(place.x + place.width / 2)
})

test('failed nodes have a red edge, waiting ones a dashed one, and the critical path has a word and its time', async ({
  page,
  host,
  go,
}) => {
  const status = {
    lint: 'failure',
    unit: 'success',
    build: 'pending',
    e2e: 'waiting_on_dependencies',
    deploy: 'skipped',
  }
  const time = { lint: 40, unit: 75 } as Record<string, number>
  const stages = graphOf(5, (name) => ({
    status: status[name as keyof typeof status] as 'success',
    started: time[name] ? data.now - 500 : 0,
    stopped: time[name] ? data.now - 500 + time[name] : 0,
  }))
  withBuild(host, data.detail({ status: 'failure', stages }))
  await go('/octocat/hello/42?view=graph')
  const card = (name: string) => graph(page, 'Stage').getByRole('listitem').filter({ hasText: name }).locator('> *')
  const red = await styleOf(card('lint').locator('svg'), 'color')
  expect(await styleOf(card('lint'), 'border-left-color')).toBe(red)
  expect(await styleOf(card('lint'), 'border-left-width')).toBe('3px')
  for (const name of ['build', 'e2e']) expect(await styleOf(card(name), 'border-left-style'), name).toBe('dashed')
  for (const name of ['lint', 'unit', 'deploy'])
    expect(await styleOf(card(name), 'border-left-style'), name).toBe('solid')
  await expect(graph(page, 'Stage').getByText('Critical path so far 1m 15s')).toBeVisible()
  await expect(node(page, 'unit')).toContainText('1m 15s · critical')
  await expect(node(page, 'lint')).not.toContainText('critical')
  // What has not run says nothing of how long it takes.
  for (const name of ['build', 'deploy']) await expect(card(name)).not.toContainText('critical')
})

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const)
  test(`at ${width} px the drawer shows the log of the step and does not cover its node`, async ({
    page,
    host,
    go,
  }) => {
    withBuild(host, data.detail({ stages: graphOf(60) }))
    await page.setViewportSize({ width, height })
    await go('/octocat/hello/42/60/1?view=graph')
    await node(page, 'notify').click()
    await expect(page).toHaveURL(/\/42\/60\/1\?view=graph&drawer=stage/)
    const isClear = async (chosen: Locator) => {
      await expect(chosen).toHaveAttribute('aria-current', 'true')
      await expect(drawer(page).getByRole('log')).toContainText('line 3')
      await rest(page)
      const [info, card] = [await box(drawer(page)), await box(chosen)]
      expect(meet(info, card), JSON.stringify({ info, card })).toBe(false)
      const [from, log] = [await box(drawer(page).getByText('Duration')), await box(drawer(page).getByRole('log'))]
      expect(log.y).toBeGreaterThan(from.y)
    }
    await isClear(node(page, 'notify'))
    await page.keyboard.press('Escape')
    await expect(drawer(page)).toHaveCount(0)
    const last = graph(page, 'Step').getByRole('link', { name: /make notify/ })
    await last.click()
    await isClear(last)
    await page.reload()
    await isClear(last)
    await fitsWidth(page)
    await drawer(page).getByRole('button', { name: 'Close' }).click()
    await expect(last).toBeFocused()
    await expect(page).toHaveURL(/\/42\/60\/2\?view=graph(&stages=[\d-]+)?$/)
  })

test('the graph is moved by a drag, by the wheel and by the arrows; plus, minus and 0 zoom it', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/20/1?view=graph')
  const chosen = node(page, 'unit-4')
  await expect(chosen).toBeVisible()
  const at = async () => middle(await box(chosen))
  const start = await at()
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x - 120, start.y - 50, { steps: 6 })
  await page.mouse.up()
  const dragged = await at()
  expect(dragged.x - start.x).toBeCloseTo(-120, -1)
  expect(dragged.y - start.y).toBeCloseTo(-50, -1)
  // A drag that began on a node has not chosen it.
  await expect(drawer(page)).toHaveCount(0)
  await page.mouse.wheel(0, 100)
  await expect.poll(async () => (await at()).y - dragged.y).toBeLessThan(-90)
  await page.mouse.wheel(-80, 0)
  await expect.poll(async () => (await at()).x - dragged.x).toBeGreaterThan(70)
  const wheeled = await at()
  await pane(page, 'Stage').focus()
  for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  const pressed = await at()
  expect(pressed.x).toBeLessThan(wheeled.x)
  expect(pressed.y).toBeGreaterThan(wheeled.y)
  await page.keyboard.press('+')
  await expect.poll(() => level(page, 'Stage')).toBe(90)
  // Larger, and what was in the middle of the pane is there still.
  const around = middle(await box(pane(page, 'Stage')))
  const zoomed = await at()
  expect(zoomed.x - around.x).toBeCloseTo(((pressed.x - around.x) * 90) / 70, -1)
  await page.keyboard.press('-')
  await expect.poll(() => level(page, 'Stage')).toBe(70)
  await page.keyboard.press('0')
  await expect.poll(() => level(page, 'Stage')).toBeLessThan(70)
  const room = await box(pane(page, 'Stage'))
  for (const name of ['lint-1', 'notify', 'unit-20']) expect(holds(room, await box(node(page, name)))).toBe(true)
  // With Ctrl the wheel zooms where it points.
  const under = await at()
  await page.mouse.move(under.x, under.y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -300)
  await page.keyboard.up('Control')
  await expect.poll(() => level(page, 'Stage')).toBeGreaterThan(70)
  expect(Math.abs((await at()).x - under.x)).toBeLessThan(3)
})

test('a wheel that only goes up and down moves a chain to the side', async ({ page, host, go }) => {
  const chain = Array.from({ length: 60 }, (_, index) => data.stage({ number: index + 1, name: `s${index + 1}` }))
  withBuild(host, data.detail({ stages: chain }))
  await go('/octocat/hello/42/1/1?view=graph')
  const first = node(page, 's1')
  const before = await box(first)
  await page.mouse.move(before.x, before.y - 20)
  await page.mouse.wheel(0, 120)
  await expect.poll(async () => before.x - (await box(first)).x).toBeCloseTo(120, -1)
})

test('zoom and place are in the address: reload, a friend and Back come to the same part of the graph', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeVisible()
  await expect(page).toHaveURL(/\?view=graph$/)
  await pane(page, 'Stage').focus()
  await page.keyboard.press('+')
  for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\?view=graph&stages=90-\d+-\d+$/)
  const before = await box(node(page, 'unit-1'))
  await page.reload()
  await expect(node(page, 'unit-1')).toBeVisible()
  expect(await level(page, 'Stage')).toBe(90)
  const after = await box(node(page, 'unit-1'))
  expect(Math.abs(after.x - before.x)).toBeLessThan(3)
  expect(Math.abs(after.y - before.y)).toBeLessThan(3)
  // Moving is no step of the history, choosing is.
  await node(page, 'unit-1').press('Enter')
  await expect(page).toHaveURL(/\/42\/17\/1\?view=graph&stages=90-\d+-\d+&drawer=stage$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/42\/1\/1\?view=graph&stages=90-\d+-\d+$/)
  await expect(drawer(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  for (const place of ['999-1-1', '90-x-1', '%00', '90-999999-999999', '-1--1--1']) {
    await go(`/octocat/hello/42/1/1?view=graph&stages=${place}&steps=${place}`)
    await expect(node(page, 'lint-1')).toBeAttached()
    expect(await level(page, 'Stage')).toBeLessThanOrEqual(300)
  }
})

test('the graph of a running build is kept up to date, and what one looks at does not move', async ({
  page,
  host,
  go,
}) => {
  const stages = (done: number) =>
    graphOf(60, (_name, number) => ({
      version: 10 + done,
      ...(number > done && { status: number === done + 1 ? 'running' : 'waiting_on_dependencies', stopped: 0 }),
    }))
  const told = (done: number) => data.detail({ status: 'running', version: 10 + done, stages: stages(done) })
  withBuild(host, told(20))
  await go('/octocat/hello/42/20/1?view=graph')
  await expect(node(page, 'unit-5')).toContainText(/unit-5/)
  await pane(page, 'Stage').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/stages=/)
  const before = await box(node(page, 'unit-4'))
  for (const done of [21, 22, 23]) {
    withBuild(host, told(done))
    await host.push('/api/stream', { ...data.repo(), build: told(done) })
    const name = `unit-${done - 16}`
    await expect(graph(page, 'Stage').getByRole('link', { name: new RegExp(`^success ${name} `) })).toBeAttached()
    expect(await box(node(page, 'unit-4'))).toEqual(before)
  }
})

test('steps that come while one looks do not move the one that is chosen', async ({ page, host, go }) => {
  const told = (count: number) =>
    data.detail({
      status: 'running',
      version: 10 + count,
      stages: [
        data.stage({
          status: 'running',
          version: 10 + count,
          steps: Array.from({ length: count }, (_, index) =>
            data.step({ number: index + 1, name: `step-${index + 1}`, version: 10 + count }),
          ),
        }),
      ],
    })
  withBuild(host, told(8))
  await go('/octocat/hello/42/1/3?view=graph')
  const chosen = graph(page, 'Step').getByRole('link', { name: /step-3/ })
  await expect(chosen).toBeVisible()
  const before = await box(chosen)
  withBuild(host, told(14))
  await host.push('/api/stream', { ...data.repo(), build: told(14) })
  await expect(graph(page, 'Step').getByRole('listitem')).toHaveCount(14)
  const after = await box(chosen)
  expect(Math.abs(after.x - before.x)).toBeLessThan(2)
  expect(Math.abs(after.y - before.y)).toBeLessThan(2)
})

test('with the keyboard alone the nodes come one after the other, in sight, each with its status as part of its name', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60, (name) => (name === 'lint-2' ? { status: 'failure' } : {})) }))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeVisible()
  await pane(page, 'Stage').focus()
  const around = await box(pane(page, 'Stage'))
  for (const [index, [name]] of shapes[60].slice(0, 24).entries()) {
    await page.keyboard.press('Tab')
    const link = graph(page, 'Stage').getByRole('link', {
      name: new RegExp(`^${name === 'lint-2' ? 'failure' : 'success'} ${name} ${10 + index}s`),
    })
    await expect(link).toBeFocused()
    expect(holds(around, await box(link)), name).toBe(true)
    expect(await styleOf(link, 'outline-style')).not.toBe('none')
  }
  await page.keyboard.press('Enter')
  await expect(drawer(page)).toBeVisible()
  // Nothing moves for those who asked for that.
  const moving = () =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 90) : ''))
  expect(await page.evaluate(moving)).toEqual([])
  const chosen = node(page, 'unit-8')
  await expect(chosen).toBeFocused()
  expect(meet(await box(drawer(page)), await box(chosen))).toBe(false)
})

test.describe('with two fingers', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  test('the graph is zoomed where they are', async ({ page, host, go }) => {
    withBuild(host, data.detail({ stages: graphOf(60) }))
    await go('/octocat/hello/42/20/1?view=graph')
    const chosen = node(page, 'unit-4')
    await expect(chosen).toBeVisible()
    const card = await box(chosen)
    const { x, y } = middle(card)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: apart === undefined ? [] : [-apart, apart].map((to, id) => ({ x: x + to, y, id })),
      })
    await touch('touchStart', 40)
    for (const apart of [45, 50, 55, 60]) await touch('touchMove', apart)
    await touch('touchEnd')
    await expect.poll(async () => (await box(chosen)).width / card.width).toBeCloseTo(1.5, 1)
    const after = middle(await box(chosen))
    expect(Math.abs(after.x - x)).toBeLessThan(6)
    expect(Math.abs(after.y - y)).toBeLessThan(6)
    // The page itself stays as large as it was.
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    await expect(page).toHaveURL(/stages=12\d-/)
  })
})
