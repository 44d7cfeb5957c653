/** The build page: header, banner, stages (specification §2, §4). */
import type { Page } from '@playwright/test'
import type { Build } from '@flightdeck/api'
import { buildEvents, statuses } from '@flightdeck/api'
import { watchOpenStream } from '../support/open-stream.ts'
import { watchPolls } from '../support/polls.ts'
import {
  data,
  expect,
  fail,
  advanceClockUntil,
  ok,
  openDialog,
  rest,
  styleOf,
  test,
  withBuild,
  notFound,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const log = `${base}/42/logs/1/1`
const stages = (page: Page) => page.getByRole('navigation', { name: 'Pipeline stages' })
const banner = (page: Page) => page.getByRole('status', { name: 'Build status' })

test('[S2.routes.14] [S2.build.1] [S2.build.19] [S7.calls.15] [S7.calls.22] stage and step default to 1', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  for (const tail of ['', '/1']) {
    await go(`/octocat/hello/42${tail}`)
    await expect(page.getByText('line 3')).toBeVisible()
  }
  expect(host.made(`GET ${log}`)).toHaveLength(2)
  await expect(stages(page).getByRole('heading', { name: 'Pipeline stages' })).toBeVisible()
  await expect(stages(page).getByText('1 stage', { exact: true })).toBeVisible()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs.getByText('#42', { exact: true })).toBeVisible()
  await crumbs.getByRole('link', { name: 'Builds', exact: true }).click()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
})

test('[S2.build.3] [S3.entities.4] start time, created date, duration, status, title, and an event description with links', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ created: 1_700_000_000, started: 1_700_000_001, finished: 1_700_000_065 }))
  await go('/octocat/hello/42')
  const main = page.getByRole('main')
  const fact = (name: string) => main.locator('dl > div').filter({ hasText: name })
  await expect(fact('Started')).toContainText('Nov 14, 2023, 10:13 PM')
  await expect(fact('Created')).toContainText('Nov 14, 2023, 10:13 PM')
  await expect(fact('Duration')).toContainText('1m 04s')
  await expect(banner(page)).toContainText('success')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fix the parser')
  await expect(main.getByText(/octocat pushed 7fd1a60b to main/)).toBeVisible()
  await expect(main.getByRole('link', { name: '7fd1a60b', exact: true })).toHaveAttribute(
    'href',
    /git\.example\.com|\/link\//,
  )
  await expect(main.getByRole('link', { name: 'main', exact: true })).toHaveAttribute('href', /main|branches/)
  withBuild(
    host,
    data.detail({
      title: 'A title of its own',
      event: 'pull_request',
      action: 'opened',
      ref: 'refs/pull/7/head',
      source: 'fix',
      target: 'main',
    }),
  )
  await go('/octocat/hello/42')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A title of its own')
  await expect(main.getByRole('link', { name: 'pull request #7' })).toHaveAttribute('href', data.build().link)
})

test('[S3.entities.13] each kind of event has its description; a cron build names its job, a promotion its target and its parent [F.build.2] [F.build.3] @system', async ({
  page,
  host,
  go,
}) => {
  // A row has columns for the actor, branch and commit.
  const words: Record<(typeof buildEvents)[number], RegExp> = {
    push: /^Push/,
    pull_request: /^Pull request #7 opened from fix/,
    tag: /^Tag v1\.10/,
    cron: /^Cron job nightly/,
    custom: /^Custom build/,
    promote: /promoted #40 to staging/i,
    rollback: /rolled back staging to #40/i,
  }
  const overrides: Partial<Record<(typeof buildEvents)[number], Partial<Build>>> = {
    pull_request: { action: 'opened', ref: 'refs/pull/7/head', source: 'fix' },
    tag: { ref: 'refs/tags/v1.10' },
    cron: { cron: 'nightly' },
    promote: { deploy_to: 'staging', parent: 40 },
    rollback: { deploy_to: 'staging', parent: 40 },
  }
  withBuild(host)
  host.on(`GET ${base}/40`, ok(data.detail({ number: 40, id: 5 })))
  await go('/octocat/hello/42')
  await host.reader('/api/stream')
  host.on(
    `GET ${base}`,
    ok(
      buildEvents.map((event, index) => data.build({ id: index + 50, number: index + 50, event, ...overrides[event] })),
    ),
  )
  await go('/octocat/hello')
  for (const event of buildEvents) await expect(page.getByRole('main').getByText(words[event]).first()).toBeVisible()
  for (const event of ['promote', 'rollback'] as const) {
    withBuild(host, data.detail({ event, ...overrides[event] }))
    await go('/octocat/hello/42')
    await page.evaluate(() => Object.assign(window, { stayed: true }))
    await expect(page.getByRole('main').getByText(words[event])).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: '#40', exact: true }).click()
    await expect(page).toHaveURL(/\/octocat\/hello\/40$/)
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  }
})

test('[S2.build.4] [S4.states.1] the banner’s colour: success, danger, warning @system', async ({ page, host, go }) => {
  withBuild(host)
  await go('/octocat/hello/42')
  await expect(banner(page)).toContainText('success')
  const colours: Record<string, string> = {}
  for (const [index, status] of statuses.entries()) {
    // The page reads the build again when its stream opens, which can be now: a server sends the
    // same in both ways.
    withBuild(host, data.detail({ status, version: 10 + index }))
    await host.push('/api/stream', { ...data.repo(), build: data.build({ status, version: 10 + index }) })
    await expect(banner(page)).toHaveText(new RegExp(`${status.replaceAll('_', ' ')}$`))
    await rest(page)
    colours[status] = await styleOf(banner(page), 'background-color')
    const icon = banner(page).locator('svg').first()
    expect(await styleOf(icon, 'color'), status).toBe(await styleOf(banner(page), 'border-left-color'))
  }
  const { success, failure, pending } = colours
  expect(new Set([success, failure, pending]).size).toBe(3)
  for (const status of ['failure', 'declined', 'error', 'killed']) expect(colours[status], status).toBe(failure)
  for (const status of ['running', 'pending', 'blocked', 'skipped', 'waiting_on_dependencies'])
    expect(colours[status], status).toBe(pending)
})

test('[S2.build.19] [S2.build.21] [S2.build.22] [S2.build.23] stages: counted, the one of the address open, what cannot be opened, skipped steps [F.keyboard.9]', async ({
  page,
  host,
  go,
}) => {
  const closed = ['skipped', 'blocked', 'pending', 'waiting_on_dependencies'] as const
  withBuild(
    host,
    data.detail({
      status: 'running',
      stages: [
        data.stage({ name: 'first', steps: [data.step({ name: 'alpha' })] }),
        data.stage({
          number: 2,
          name: 'second',
          steps: [data.step({ name: 'beta' }), data.step({ number: 2, name: 'gamma', status: 'skipped' })],
        }),
        data.stage({ number: 3, name: 'without', steps: [] }),
        ...closed.map((status, index) =>
          data.stage({ number: 4 + index, name: `is-${status}`, status, steps: [data.step({ name: `in-${status}` })] }),
        ),
      ],
    }),
  )
  await go('/octocat/hello/42/2/1')
  await expect(stages(page).getByText('7 stages', { exact: true })).toBeVisible()
  const first = stages(page).getByRole('button', { name: /first/ })
  const second = stages(page).getByRole('button', { name: /second/ })
  await expect(second).toHaveAttribute('aria-expanded', 'true')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await expect(stages(page).getByText('beta')).toBeVisible()
  await expect(stages(page).getByText('alpha')).toHaveCount(0)
  await first.click()
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  await expect(stages(page).getByRole('link', { name: /alpha/ })).toHaveAttribute('href', '/octocat/hello/42/1/1')
  await second.click()
  await expect(second).toHaveAttribute('aria-expanded', 'false')
  await second.click()
  await expect(stages(page).getByRole('link', { name: /gamma/ })).toHaveCount(0)
  await stages(page).getByText('gamma').click({ force: true })
  await expect(page).toHaveURL(/\/42\/2\/1$/)
  for (const name of ['without', ...closed.map((status) => `is-${status}`)]) {
    await expect(stages(page).getByRole('button', { name: new RegExp(name) })).toHaveCount(0)
    await stages(page)
      .getByRole('link', { name: new RegExp(name) })
      .click()
  }
  for (const status of closed) await expect(stages(page).getByText(`in-${status}`)).toHaveCount(0)
  await expect(page).toHaveURL(/\/42\/7$/)
})

test('[S2.build.24] the duration of a running step ticks each second @system', async ({ page, host, go }) => {
  const time = new Date('2026-01-01T12:00:00Z')
  const noon = time.getTime() / 1000
  host.time = () => time
  await page.clock.install({ time })
  withBuild(
    host,
    data.detail({
      status: 'running',
      started: noon - 65,
      finished: 0,
      stages: [
        data.stage({
          status: 'running',
          started: noon - 65,
          stopped: 0,
          steps: [data.step({ status: 'running', started: noon - 62, stopped: undefined })],
        }),
      ],
    }),
  )
  await go('/octocat/hello/42')
  const step = stages(page).getByRole('link', { name: /test/ })
  const seconds = async () => {
    const [, minutes, left] = /(\d+)m (\d\d)s/.exec((await step.textContent()) ?? '') ?? []
    return Number(minutes) * 60 + Number(left)
  }
  await expect(step).toContainText(/[1-9]m \d\ds/)
  // The clock is paused from here on: it would continue between two checks on a busy machine.
  const shown = await seconds()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 20_000)
  await expect.poll(seconds).toBeGreaterThanOrEqual(shown + 20)
  const before = await seconds()
  await page.clock.runFor(1_000)
  await expect.poll(seconds).toBe(before + 1)
  await page.clock.runFor(3_000)
  await expect.poll(seconds).toBe(before + 4)
})

const besideService = (status: 'running' | 'success'): Build =>
  data.detail({
    status: 'running',
    finished: 0,
    stages: [
      data.stage({
        status,
        stopped: status === 'running' ? 0 : data.now,
        steps: [data.step({ name: 'database', detached: true, status }), data.step({ number: 2 })],
      }),
      data.stage({
        number: 2,
        name: 'deploy',
        status: 'running',
        stopped: 0,
        steps: [data.step({ status: 'running' })],
      }),
    ],
  })

for (const [end, answer] of [
  ['its end is known', ok(besideService('success'))],
  ['a read fails', fail(503, 'busy')],
] as const)
  test(`a stage with only services running is polled until ${end}, slower from the second time on @system`, async ({
    page,
    host,
    go,
  }) => {
    await page.clock.install()
    const asks = await watchPolls(page, `${base}/42`)
    const streamOpens = await watchOpenStream(page, host)
    withBuild(host, besideService('running'))
    await go('/octocat/hello/42/1/2')
    const unit = (status: string) => stages(page).getByRole('button', { name: new RegExp(`^${status} unit`) })
    await expect(unit('running')).toBeVisible()
    // An unfinished build is read once more after its stream has opened; the pause includes it.
    await streamOpens()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
    await asks.goOnToNext(0)
    await asks.goOnToNext(4_000)
    host.on(`GET ${base}/42`, answer)
    await asks.goOnToNext(4_000)
    const requestCount = await asks.times()
    const pauses = requestCount.slice(1).map((time, index) => time - (requestCount[index] ?? 0))
    for (const pause of pauses.slice(-2)) {
      expect(pause).toBeGreaterThanOrEqual(5_000)
      expect(pause).toBeLessThan(5_500)
    }
    await advanceClockUntil(page, () => unit(answer.status === 200 ? 'success' : 'running').isVisible())
    await page.clock.runFor(20_000)
    expect(await asks.times()).toEqual(requestCount)
  })

test('[S8.pages.1] [S2.build.7] a build that does not exist is not found, inside the frame @system', async ({
  page,
  host,
  go,
}) => {
  for (const message of ['Not Found', 'sql: no rows in result set']) {
    withBuild(host)
    host.on(`GET ${base}/42`, fail(404, message))
    await go('/octocat/hello/42')
    await expect(page.getByText(notFound)).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  }
})

test('each control of the page exists once [F.build.4] @system', async ({ page, host, go }) => {
  withBuild(host)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42')
    await expect(stages(page).getByText('1 stage')).toBeVisible()
    for (const name of ['Actions', 'Log View', 'Graph View'])
      await expect(page.getByRole('button', { name })).toHaveCount(1)
    expect(await page.locator('button[aria-haspopup=menu]').filter({ hasText: 'Actions' }).count()).toBe(1)
  }
})

test('[S2.build.20] [S9.constants.16] below 768 px the console is a full-screen modal with a way out, also when the width changes [F.mobile.1]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  await page.setViewportSize({ width: 767, height: 800 })
  await go('/octocat/hello/42/1/1')
  await stages(page).getByRole('link', { name: /test/ }).click()
  await expect(openDialog(page).getByText('line 3')).toBeVisible()
  const place = await openDialog(page).boundingBox()
  expect(place).toMatchObject({ x: 0, y: 0, width: 767, height: 800 })
  await openDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 768, height: 800 })
  await expect(page.getByText('line 3')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 767, height: 800 })
  await expect(page.getByText('line 3')).toHaveCount(0)
})
