/**
 * Graph view: two graphs in a splitter, their nodes, zoom and the step drawer (specification §2).
 */
import { diamond, drawer, graph } from '../support/graph-view.ts'
import { box, data, expect, graphView, test, withBuild } from '../support/screens.ts'

test('[S2.build.8] stages above, steps below: half each, 190 px at least @system', async ({ page, host, go }) => {
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

test('[S2.build.12] [S2.build.30] skipped, declined and waiting nodes cannot be selected; a blocked stage can, without data @system', async ({
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

test('[S2.build.13] [S9.constants.15] each graph has its own zoom: in and out by 20, reset to 100, to fit @system', async ({
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

test('[S2.build.14] [S2.build.15] [S2.build.16] [S2.build.17] [S9.constants.17] from left to right, 35 between nodes and 75 between ranks, a start and a stop @system', async ({
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
  // Two edges leave the start, two enter `deploy`, one leaves it.
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

test('[S2.build.18] without dependencies the nodes form a chain in order [F.graph.2] @system', async ({
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

test('the graph works by keyboard; the selection survives a reload, and Back returns [F.graph.1] [F.graph.3] [F.graph.4] @system', async ({
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

test('the selected stage of a long chain is visible, also after Back @system', async ({ page, host, go }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  withBuild(
    host,
    data.detail({ stages: numbers.map((number) => data.stage({ number, name: `s${number}`, steps: [] })) }),
  )
  await go('/octocat/hello/42/98')
  await graphView(page).click()
  const stage = (name: string) => graph(page, 'Stage').getByRole('link', { name, exact: false })
  // A hundred nodes are rendered in slices; this one is in a later slice.
  await expect(stage('s98')).toBeInViewport({ ratio: 1 })
  await stage('s2').first().press('Enter')
  await expect(page).toHaveURL(/\/42\/2\/1\?view=graph/)
  await page.goBack()
  await expect(stage('s98')).toHaveAttribute('aria-current', 'true')
  await expect(stage('s98')).toBeInViewport({ ratio: 1 })
})

test('[S2.build.2] the selected view is remembered, also for other builds @system', async ({ page, host, go }) => {
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

test('the graph’s code loads when the graph is opened [F.start.2] [F.start.3] [F.start.4] @system', async ({
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
  // Nothing loads from other origins, and text is readable while its font loads.
  expect(asked.filter((address) => !address.startsWith(host.origin) && !address.startsWith('blob:'))).toEqual([])
  const fonts = await page.evaluate(() =>
    // The fallback is a local font with our font's metrics.
    [...document.fonts].filter((font) => !font.family.includes('Fallback')).map((font) => font.display),
  )
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter((display) => display !== 'swap' && display !== 'fallback' && display !== 'optional')).toEqual([])
  expect(asked.filter((address) => /\.(ttf|otf)$/.test(address))).toEqual([])
})

test('a toggle is pressed immediately, before its view is rendered @system', async ({ page, host, go }) => {
  diamond(host)
  await go('/octocat/hello/42')
  await graphView(page).hover()
  await page.waitForLoadState('networkidle')
  const pressed = await graphView(page).evaluate(async (button: HTMLElement) => {
    button.click()
    // No frame and no other task has run in between.
    await Promise.resolve()
    return [button.ariaPressed, document.querySelector('section[aria-label="Stage graph"]')]
  })
  expect(pressed).toEqual(['true', null])
  await expect(graph(page, 'Stage')).toBeVisible()
})

test('the view is in the URL: a reload and a shared link open it, and Back leaves it @system', async ({
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
  // The view in a shared link is not stored as this user's choice.
  await friend.goto(`${host.origin}/octocat/hello/42`)
  await expect(friend.getByRole('navigation', { name: 'Pipeline stages' })).toBeVisible()
  await friend.close()
  await page.getByRole('button', { name: 'Log View' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/\d\/\d\?view=log$/)
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
})

test('the remembered graph view is in the URL, and a link to a line of the log shows the log @system', async ({
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

const failedBuild = () =>
  data.detail({
    status: 'failure',
    stages: [
      data.stage({ number: 1, name: 'lint', steps: [data.step({ name: 'style' })] }),
      data.stage({
        number: 2,
        name: 'test',
        status: 'failure',
        steps: [data.step({ name: 'clone' }), data.step({ number: 2, name: 'unit', status: 'failure', exit_code: 1 })],
      }),
    ],
  })

test('a URL without a stage shows the steps of the failed stage @system', async ({ page, host, go }) => {
  withBuild(host, failedBuild())
  await go('/octocat/hello/42?view=graph')
  await expect(graph(page, 'Stage').getByRole('link', { name: /test/ })).toHaveAttribute('aria-current', 'true')
  await expect(graph(page, 'Step').getByRole('link', { name: /unit/ })).toHaveAttribute('aria-current', 'true')
  // A URL with a stage shows that stage.
  await go('/octocat/hello/42/1?view=graph')
  await expect(graph(page, 'Step').getByRole('link', { name: /style/ })).toBeVisible()
})

test('on a phone there is one graph at a time, and the URL says which @system', async ({ page, host, go }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  withBuild(host, failedBuild())
  await go('/octocat/hello/42?view=graph')
  await expect(graph(page, 'Stage')).toBeVisible()
  await expect(graph(page, 'Step')).toHaveCount(0)
  const steps = page.getByRole('group', { name: 'Graph' }).getByRole('button', { name: 'Steps of test' })
  await steps.focus()
  await page.keyboard.press('Enter')
  await expect(graph(page, 'Step').getByRole('link', { name: /unit/ })).toBeVisible()
  await expect(graph(page, 'Stage')).toHaveCount(0)
  await page.reload()
  await expect(steps).toHaveAttribute('aria-pressed', 'true')
  await expect(graph(page, 'Step')).toBeVisible()
})
