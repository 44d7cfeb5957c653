/** The build page: header, banner, stages, actions, approval (specification §2, §4). */
import type { Page } from '@playwright/test'
import type { Build, Stage } from '@flightdeck/api'
import { buildEvents, statuses } from '@flightdeck/api'
import {
  choose,
  data,
  expect,
  fail,
  notFound,
  ok,
  question,
  signedInAs,
  styleOf,
  test,
  withBuild,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const log = `${base}/42/logs/1/1`
const readers = { permissions: { read: true, write: false, admin: false } }
const oneStage = (
  over: Partial<Stage>,
  step: Parameters<typeof data.step>[0] = {},
  status: Build['status'] = 'failure',
): Build => data.detail({ status, stages: [data.stage({ ...over, steps: [data.step(step)] })] })
const running = (over: Partial<Build> = {}): Build =>
  data.detail({
    ...oneStage({ status: 'running', stopped: 0 }, { status: 'running', stopped: undefined }, 'running'),
    finished: 0,
    ...over,
  })
const blocked = (over: Partial<Build> = {}): Build =>
  data.detail({
    status: 'pending',
    started: 0,
    finished: 0,
    stages: [data.stage({ status: 'blocked', started: 0, stopped: 0, steps: [] })],
    ...over,
  })
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

test('[S3.entities.13] each kind of event has its description; a cron build names its job, a promotion its target and its parent [F.build.2] [F.build.3]', async ({
  page,
  host,
  go,
}) => {
  const words: Record<(typeof buildEvents)[number], RegExp> = {
    push: /pushed 7fd1a60b to main/,
    pull_request: /opened pull request #7 from fix to main/,
    tag: /created tag v1\.10/,
    cron: /cron job nightly/i,
    custom: /started a custom build/,
    promote: /promoted #40 to staging/,
    rollback: /rolled back staging to #40/,
  }
  const over: Partial<Record<(typeof buildEvents)[number], Partial<Build>>> = {
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
    ok(buildEvents.map((event, index) => data.build({ id: index + 50, number: index + 50, event, ...over[event] }))),
  )
  await go('/octocat/hello')
  for (const event of buildEvents) await expect(page.getByRole('main').getByText(words[event]).first()).toBeVisible()
  for (const event of ['promote', 'rollback'] as const) {
    withBuild(host, data.detail({ event, ...over[event] }))
    await go('/octocat/hello/42')
    await page.evaluate(() => Object.assign(window, { stayed: true }))
    await expect(page.getByRole('main').getByText(words[event])).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: '#40', exact: true }).click()
    await expect(page).toHaveURL(/\/octocat\/hello\/40$/)
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  }
})

test('[S2.build.4] [S4.states.1] the banner’s colour: success, danger, warning', async ({ page, host, go }) => {
  withBuild(host)
  await go('/octocat/hello/42')
  await expect(banner(page)).toContainText('success')
  const colours: Record<string, string> = {}
  for (const [index, status] of statuses.entries()) {
    await host.push('/api/stream', { ...data.repo(), build: data.build({ status, version: 10 + index }) })
    await expect(banner(page)).toHaveText(new RegExp(`${status.replaceAll('_', ' ')}$`))
    colours[status] = await styleOf(banner(page), 'background-color')
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

test('[S2.build.24] the time of a running step ticks each second', async ({ page, host, go }) => {
  await page.clock.install({ time: new Date('2026-01-01T12:00:00Z') })
  const noon = Date.parse('2026-01-01T12:00:00Z') / 1000
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
  const seconds = async () => Number(/1m (\d\d)s/.exec((await step.textContent()) ?? '')?.[1])
  await expect(step).toContainText(/1m 0\ds/)
  const before = await seconds()
  await page.clock.runFor(1_000)
  await expect.poll(seconds).toBe(before + 1)
  await page.clock.runFor(3_000)
  await expect.poll(seconds).toBe(before + 4)
})

test('[S8.pages.1] [S2.build.7] a build that does not exist is not found, inside the frame', async ({
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

test('[S4.states.21] [S4.states.22] [S7.calls.19] cancel asks nothing and moves to the returned build', async ({
  page,
  host,
  go,
}) => {
  for (const build of [running(), data.detail({ status: 'pending', started: 0, finished: 0 })]) {
    withBuild(host, build)
    host
      .on(`DELETE ${base}/42`, ok(data.detail({ number: 41, id: 6, status: 'killed' })))
      .on(`GET ${base}/41`, ok(data.detail({ number: 41, id: 6, status: 'killed' })))
    await go('/octocat/hello/42/1/1')
    await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(/\/octocat\/hello\/41$/)
    await expect(banner(page)).toContainText('killed')
  }
  expect(host.made(`DELETE ${base}/42`)).toHaveLength(2)
})

test('[S4.states.23] [S4.states.24] [S4.states.25] [S7.calls.18] restart and debug', async ({ page, host, go }) => {
  withBuild(host)
  host
    .on(`POST ${base}/42`, (call) => ok(data.build({ number: call.query ? 44 : 43 })))
    .on(`GET ${base}/43`, ok(data.detail({ number: 43, id: 8 })))
    .on(`GET ${base}/44`, ok(data.detail({ number: 44, id: 9 })))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Restart', 'Promote', 'Debug'])
  await page.getByRole('menuitem', { name: 'Restart' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/43\/1\/1$/)
  await go('/octocat/hello/42')
  await choose(page, 'Debug')
  await expect(page).toHaveURL(/\/octocat\/hello\/44(\/|$)/)
  expect(host.made(`POST ${base}/42`).map((call) => call.query)).toEqual(['', '?debug=true'])
})

test('[S2.dialogs.2] [S5.validation.4] [S5.validation.6] [S4.states.25] [S7.calls.20] [S9.constants.20] promote and rollback: target, parameters [F.deployment.1] [F.deployment.2] [F.deployment.3]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  for (const action of ['promote', 'rollback']) host.on(`POST ${base}/42/${action}`, ok(data.build({ number: 45 })))
  host.on(`GET ${base}/45`, ok(data.detail({ number: 45, id: 9 })))
  const dialog = page.getByRole('dialog', { name: 'Create deployment' })
  const sent = (action: string) =>
    Object.fromEntries(new URLSearchParams(host.made(`POST ${base}/42/${action}`).at(-1)?.query))
  await go('/octocat/hello/42')
  await choose(page, 'Promote')
  expect(await dialog.getByLabel('Type').locator('option').allTextContents()).toEqual(['Promote', 'Rollback'])
  await dialog.getByLabel('Target').fill('   ')
  await dialog.getByLabel('Key').fill('A')
  await dialog.getByLabel('Value').pressSequentially('b c')
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/45(\/|$)/)
  expect(sent('promote')).toEqual({ A: 'b c', target: 'production' })
  // By link, with parameters, of which one is removed; one called `target` does not win.
  const parameters = JSON.stringify([
    { key: 'target', value: 'elsewhere' },
    { key: 'GOES', value: '1' },
    { key: 'STAYS', value: '2' },
  ])
  await go(`/octocat/hello/42?${new URLSearchParams({ action: 'rollback', target: ' moon ', parameters })}`)
  await expect(dialog.getByLabel('Type')).toHaveValue('rollback')
  await dialog.getByRole('button', { name: 'Remove GOES' }).click()
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/45(\/|$)/)
  expect(sent('rollback')).toEqual({ STAYS: '2', target: 'moon' })
})

test('[S2.build.5] [S4.states.19] [S4.states.20] [S6.roles.4] [S7.calls.21] a blocked stage is approved or declined, that one only [F.approval.1] [F.approval.2]', async ({
  page,
  host,
  go,
}) => {
  withBuild(
    host,
    blocked({
      stages: [
        data.stage({ status: 'pending', steps: [] }),
        data.stage({ number: 2, name: 'release', status: 'blocked', steps: [] }),
        data.stage({ number: 3, name: 'later', status: 'blocked', steps: [] }),
      ],
    }),
  )
  for (const call of ['approve', 'decline'])
    for (const stage of [1, 2, 3]) host.on(`POST ${base}/42/${call}/${stage}`, { status: 204 })
  await go('/octocat/hello/42/1')
  await expect(page.getByText('3 stages')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve Build' })).toHaveCount(0)
  await stages(page)
    .getByRole('link', { name: /release/ })
    .click()
  const about = page.getByRole('region', { name: 'Waiting for approval' })
  await expect(about).toContainText('release')
  await expect(about).toContainText('octocat pushed 7fd1a60b to main')
  await expect(about).toContainText('Fix the parser')
  await expect(about.getByRole('link', { name: /7fd1a60b/ })).toHaveAttribute('href', /7fd1a60b/)
  await page.getByRole('button', { name: 'Decline Build' }).click()
  await expect.poll(() => host.made(`POST ${base}/42/decline/2`).length).toBe(1)
  await page.getByRole('button', { name: 'Approve Build' }).click()
  await expect.poll(() => host.made(`POST ${base}/42/approve/2`).length).toBe(1)
  expect(host.calls.filter((call) => /approve|decline/.test(call.path))).toHaveLength(2)
})

test('[S2.build.6] [S6.roles.4] readers are told that it is blocked, and have no actions and no cancel [F.build.1]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, blocked(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Build is blocked, please, contact repo admin in order to proceed')).toBeVisible()
  await expect(page.getByRole('button', { name: /Approve|Decline|Cancel|Actions/ })).toHaveCount(0)
  withBuild(host, running(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Step is running...')).toBeVisible()
  await expect(page.getByRole('button', { name: /Cancel|Actions/ })).toHaveCount(0)
  withBuild(host, data.detail(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Exit Code 0')).toBeVisible()
  await expect(page.getByRole('button', { name: /Cancel|Actions/ })).toHaveCount(0)
  // A system administrator may all of it (specification §6).
  signedInAs(host, { admin: true })
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(1)
})

test('[S4.states.21] [S4.states.23] each status has its actions: cancel while pending or running, the menu when it is over', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ status: 'pending' }))
  await go('/octocat/hello/42')
  await expect(banner(page)).toContainText('pending')
  for (const [index, status] of statuses.entries()) {
    await host.push('/api/stream', { ...data.repo(), build: data.build({ status, version: 10 + index }) })
    await expect(banner(page)).toHaveText(new RegExp(`${status.replaceAll('_', ' ')}$`))
    await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(/pending|running/.test(status) ? 1 : 0)
    const over = !/pending|running|blocked|waiting/.test(status)
    await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(over ? 1 : 0)
  }
})

test('each control of the page is there once [F.build.4]', async ({ page, host, go }) => {
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
  await expect(question(page).getByText('line 3')).toBeVisible()
  const place = await question(page).boundingBox()
  expect(place).toMatchObject({ x: 0, y: 0, width: 767, height: 800 })
  await question(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 768, height: 800 })
  await expect(page.getByText('line 3')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 767, height: 800 })
  await expect(page.getByText('line 3')).toHaveCount(0)
})
