/** The timeline of a build. */
import type { UsualTimes } from '@flightdeck/api'
import { box, data, expect, fitsWidth, ok, ours, signedInAs, test, withBuild } from '../support/screens.ts'

const { now } = data
const buildStart = now - 200
const build = data.detail({
  created: buildStart,
  started: buildStart + 10,
  finished: buildStart + 120,
  stages: [
    data.stage({
      number: 1,
      name: 'lint',
      taken_over: 40,
      started: buildStart - 900,
      stopped: buildStart - 840,
      steps: [],
    }),
    data.stage({
      number: 2,
      name: 'test',
      started: buildStart + 10,
      stopped: buildStart + 70,
      steps: [data.step({ number: 1, name: 'unit', started: buildStart + 11, stopped: buildStart + 70 })],
    }),
    data.stage({ number: 3, name: 'docs', started: buildStart + 10, stopped: buildStart + 40, steps: [] }),
    data.stage({
      number: 4,
      name: 'ship',
      depends_on: ['test', 'lint'],
      started: buildStart + 85,
      stopped: buildStart + 120,
      steps: [],
    }),
  ],
})

test('the timeline is a third view: waiting and running times, and a sentence about what delayed the end', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, build)
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Timeline' }).click()
  await expect(page).toHaveURL(/[?&]view=timeline/)
  const rows = page.getByRole('region', { name: 'Timeline' }).getByRole('row')
  await expect(rows).toHaveText([
    'Stage or stepTimeWaitDurationUsually',
    'successlintReused from #40–1m 00s–',
    'successtestcritical10s1m 00s–',
    'successunit–59s–',
    'successdocs10s30s–',
    'successshipcritical15s35s–',
  ])
  await expect(rows.nth(1).getByRole('link', { name: '#40' })).toHaveAttribute('href', '/octocat/hello/40')
  // A reload keeps the view; by keyboard, a step opens its log.
  await page.reload()
  const unit = page.getByRole('link', { name: 'unit' })
  await unit.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/42\/2\/1(\?view=log)?$/)
  await expect(page.getByRole('button', { name: 'Log View' })).toHaveAttribute('aria-pressed', 'true')
})

test('the graph and the timeline show the same critical path @system', async ({ page, host, go }) => {
  const at = (number: number, from: number, to: number, needs: string[], status: 'success' | 'running' = 'success') =>
    data.stage({
      id: 100 + number,
      number,
      name: `stage-${number}`,
      status,
      depends_on: needs,
      started: buildStart + from,
      stopped: to && buildStart + to,
      steps: [],
    })
  // Equal in total, and finished in the same second: by totals alone the one that finished earlier
  // would be critical.
  const stages = [
    at(1, 10, 20, []),
    at(2, 20, 90, ['stage-1']),
    at(3, 60, 95, ['stage-1']),
    at(4, 95, 0, ['stage-2', 'stage-3'], 'running'),
    at(5, 95, 100, ['stage-2', 'stage-3']),
  ]
  withBuild(host, data.running({ created: buildStart, started: buildStart + 10, stages }))
  const critical = ['stage-1', 'stage-3', 'stage-4']
  await go('/octocat/hello/42?view=timeline')
  const rows = page.getByRole('region', { name: 'Timeline' }).getByRole('row')
  await expect(rows.filter({ hasText: 'critical' }).getByRole('link')).toHaveText(critical)
  await expect(page.getByText('Critical stages determine the total time so far.')).toBeVisible()
  await go('/octocat/hello/42?view=graph')
  const nodes = page.getByRole('region', { name: 'Stage graph' }).getByRole('listitem')
  for (const { name } of stages)
    await expect(nodes.filter({ hasText: name })).toHaveText(critical.includes(name) ? /critical/ : /^(?!.*critical)/)
})

test('running bars have the color of running, and text in a row is not truncated @system', async ({
  page,
  host,
  go,
}) => {
  const named =
    build.stages?.map((stage) => ({ ...stage, name: `${stage.name}-of-a-rather-long-name`, depends_on: [] })) ?? []
  const last = data.stage({
    number: 5,
    name: 'busy',
    status: 'running',
    started: buildStart + 125,
    stopped: 0,
    steps: [],
  })
  withBuild(host, data.running({ created: buildStart, started: buildStart + 10, stages: [...named, last] }))
  await page.setViewportSize({ width: 768, height: 800 })
  await go('/octocat/hello/42?view=timeline')
  const row = page.getByRole('row', { name: /busy/ })
  const colour = (of: typeof row, what: 'color' | 'backgroundColor') =>
    of.evaluate((element, key) => getComputedStyle(element)[key], what)
  const bar = row.locator('td').first().locator('[data-kind]')
  expect(await colour(bar, 'backgroundColor')).toBe(await colour(row.locator('svg').first(), 'color'))
  const words = page.getByRole('rowheader').getByText('critical', { exact: true })
  await expect(words.first()).toBeVisible()
  for (const word of await words.all()) expect((await box(word)).height).toBeLessThan(24)
  // Only the caption is between the page's header and the table.
  const region = await box(page.getByRole('region', { name: 'Timeline' }))
  expect((await box(page.getByText(/since the build was created/))).y - region.y).toBeLessThan(16)
})

test('bars are at the correct times, at every width @system', async ({ page, host, go }) => {
  withBuild(host, build)
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42?view=timeline')
    const track = page.getByRole('row', { name: /ship/ }).locator('td').first().locator('span').first()
    const [all, waited, ran] = [
      await box(track),
      await box(track.locator('> span').nth(0)),
      await box(track.locator('> span').nth(1)),
    ]
    // Of 120 seconds it waited from 70 to 85, and was running from then on.
    expect((waited.x - all.x) / all.width).toBeCloseTo(70 / 120, 1)
    expect((ran.x - all.x) / all.width).toBeCloseTo(85 / 120, 1)
    expect(ran.x + ran.width).toBeCloseTo(all.x + all.width, 0)
    // The axis says where it begins and ends, on a phone as well.
    await expect(page.locator('[data-words="0s"]')).toBeVisible()
    await expect(page.locator('[data-words="2m"]')).toBeVisible()
    await fitsWidth(page)
  }
})

test('running bars grow, and nothing else moves @system', async ({ page, host, go }) => {
  // The current time, which the fake server's clock uses: the axis then ends at two minutes, far
  // from now.
  const start = Math.floor(Date.now() / 1000)
  await page.clock.install({ time: start * 1000 })
  const running = data.running({
    created: start - 80,
    started: start - 80,
    stages: [
      data.stage({ number: 1, name: 'done', started: start - 80, stopped: start - 40, steps: [] }),
      data.stage({ number: 2, name: 'busy', status: 'running', started: start - 40, stopped: 0, steps: [] }),
    ],
  })
  withBuild(host, running)
  host.on('GET /api/repos/octocat/hello/builds/42', ok(running))
  await go('/octocat/hello/42?view=timeline')
  const done = page.getByRole('row', { name: /done/ })
  const busy = page.getByRole('row', { name: /busy/ })
  const bar = busy.locator('td').first().locator('span span:not(.timeline-tick)').last()
  const doneBar = done.locator('td').first().locator('span span:not(.timeline-tick)').last()
  const [before, still, place] = [await box(bar), await box(doneBar), await box(done)]
  await page.clock.runFor(3_000)
  await expect.poll(async () => (await box(bar)).width).toBeGreaterThan(before.width)
  expect(await box(doneBar)).toEqual(still)
  expect(await box(done)).toEqual(place)
})

test('Flightdeck has usual durations: unusual steps, and the estimated rest of a build @system', async ({
  page,
  host,
  go,
}) => {
  const started = now - 40
  const running = data.running({
    created: started,
    started,
    stages: [
      data.stage({
        number: 1,
        name: 'test',
        status: 'running',
        started,
        stopped: 0,
        steps: [
          data.step({ number: 1, name: 'install', started, stopped: started + 30 }),
          data.step({ number: 2, name: 'unit', status: 'running', started: started + 30, stopped: 0 }),
        ],
      }),
    ],
  })
  withBuild(host, running)
  signedInAs(host, ours)
  const times = { count: 20, median: 18, low: 15, high: 20 }
  const usual: UsualTimes = {
    build: { count: 20, median: 4_000, low: 3_000, high: 9_000 },
    steps: [
      { stage: 'test', step: 'install', ...times },
      { stage: 'other', step: 'unit', ...times },
    ],
  }
  host.on('GET /api/repos/octocat/hello/builds/42/usual', ok(usual))
  await go('/octocat/hello/42?view=timeline')
  await expect(page.getByRole('row', { name: /install/ })).toHaveText(/\+12s30s18s$/)
  await expect(page.getByRole('row', { name: /unit/ })).toHaveText(/–$/)
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(/[34]\dm \d+s to 2h [12]\dm \d+s left/)
  // The page of the log shows it as well, beside the total duration.
  await page.getByRole('button', { name: 'Log View' }).click()
  const whole = page.getByRole('main').getByRole('definition').filter({ hasText: 'left' })
  await expect(whole).toHaveText(/^(\d+m )?\d+s · [34]\dm \d+s to 2h [12]\dm \d+s left$/)
  await page.setViewportSize({ width: 390, height: 800 })
  await fitsWidth(page)
})

test('the log shows the usual duration of the step, and how far it is exceeded @system', async ({ page, host, go }) => {
  const started = now - 100
  const steps = [
    data.step({ number: 1, name: 'install', started, stopped: started + 30 }),
    data.step({ number: 2, name: 'unit', started: started + 30, stopped: started + 48 }),
    data.step({ number: 3, name: 'new', started: started + 48, stopped: started + 49 }),
  ]
  withBuild(host, data.detail({ stages: [data.stage({ number: 1, name: 'test', steps })] }))
  signedInAs(host, ours)
  const times = { stage: 'test', count: 20, median: 18, low: 15, high: 20 }
  const known = [
    { ...times, step: 'install' },
    { ...times, step: 'unit' },
  ]
  let answer = (): void => {}
  const wait = new Promise<void>((resolve) => {
    answer = resolve
  })
  host.on('GET /api/repos/octocat/hello/builds/42/usual', async () => {
    await wait
    return ok({ steps: known } satisfies UsualTimes)
  })
  await go('/octocat/hello/42/1/1')
  const head = page.locator('.log-console header')
  await expect(head).toContainText('install30s')
  const tools = head.getByRole('button').first()
  const place = await box(tools)
  answer()
  await expect(head).toContainText('install30s+12susually 18s')
  expect(await box(tools)).toEqual(place)
  await go('/octocat/hello/42/1/2')
  await expect(head).toContainText('unit18susually 18s')
  await expect(head).not.toContainText('+')
  await go('/octocat/hello/42/1/3')
  await expect(head).toContainText('new1s')
  await expect(head).not.toContainText('usually')
})
