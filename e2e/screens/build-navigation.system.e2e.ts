/** Opening a build shows the step that matters: the running or the failed one. */
import type { Locator, Page } from '@playwright/test'
import type { Build, Step } from '@flightdeck/api'
import { box, data, expect, ok, openDialog, rest, test, withBuild, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello/builds'
const stages = (page: Page) => page.getByRole('navigation', { name: 'Pipeline stages' })
const chosen = (page: Page) => stages(page).locator('[aria-current=page]')
const banner = (page: Page) => page.getByRole('status', { name: 'Build status' })
const follow = (page: Page) => page.getByRole('button', { name: 'Follow the build' })
const row = (page: Page) => page.getByRole('region', { name: 'Executions' }).getByRole('link')

const step = (number: number, status: Step['status'], more: Partial<Step> = {}) =>
  data.step({ number, name: `step-${number}`, status, ...more })
const failed = (number: number, name: string, stopped: number) =>
  step(number, 'failure', { name, exit_code: 1, stopped })
const isOver = (step: Step) => !['running', 'pending'].includes(step.status)

/** A build with one stage per argument. The statuses of stages and build follow from the steps. */
const buildOf = (...steps: Step[][]): Build => {
  const all = steps.flat()
  const status = all.every(isOver) ? (all.some((item) => item.status === 'failure') ? 'failure' : 'success') : 'running'
  return data.detail({
    status,
    finished: status === 'running' ? 0 : data.now - 40,
    stages: steps.map((own, index) =>
      data.stage({
        number: index + 1,
        name: `stage-${index + 1}`,
        status: own.every((item) => item.status === 'pending') ? 'pending' : own.every(isOver) ? 'success' : 'running',
        steps: own,
      }),
    ),
  })
}

let version = 10
/** Changes the build on the server and publishes the event. */
async function becomes(host: Host, build: Build): Promise<void> {
  version += 1
  const event: Build = {
    ...build,
    version,
    stages: build.stages?.map((stage) => ({
      ...stage,
      version,
      steps: stage.steps?.map((item) => ({ ...item, version })),
    })),
  }
  host.on(`GET ${base}/42`, ok(event))
  await host.push('/api/stream', { ...data.repo(), build: event })
}

/** Clicks build #42 in the list. */
async function open(page: Page, go: (path: string) => Promise<void>): Promise<void> {
  await go('/octocat/hello')
  await row(page).first().click()
  await expect(banner(page)).toBeVisible()
}

const broken = () =>
  buildOf(
    [step(1, 'success'), failed(2, 'lint', data.now - 20)],
    [step(1, 'success'), step(2, 'success')],
    [failed(1, 'tests', data.now - 60), step(2, 'skipped')],
  )

test('a click on a failed build opens the step that broke first, and Back leaves the page; a typed address is stage 1, step 1', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, broken())
  await open(page, go)
  await expect(page).toHaveURL(/\/42\/3\/1$/)
  await expect(chosen(page)).toHaveText(/tests/)
  await expect(page.getByRole('log', { name: 'Log of tests' })).toContainText('line 3')
  // Only logs of failed steps are read: that of the step, and the other one for its error line.
  const logs = () => host.calls.map(({ path }) => /\/logs\/(.*)$/.exec(path)?.[1]).filter(Boolean)
  expect(logs()).toEqual(['3/1'])
  await page.getByRole('region', { name: 'What failed' }).getByRole('button', { expanded: false }).click()
  await expect.poll(logs).toEqual(['3/1', '1/2'])
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/42\/3\/1$/)
  await go('/octocat/hello/42')
  await expect(chosen(page)).toHaveText(/step-1/)
  await expect(page).toHaveURL(/\/42$/)
})

test('bars, cards, branches and the feed open the same step; in a new tab the URL is the plain one', async ({
  page,
  host,
  go,
}) => {
  const build = broken()
  withBuild(host, build)
  const repo = data.repo({ build })
  host
    .on('GET /api/user/repos', ok([repo]))
    .on('GET /api/user/builds/recent', ok([{ ...repo, build }]))
    .on(`GET ${base}/branches`, ok([build]))
  const places: [string, (main: Locator) => Locator][] = [
    ['/octocat/hello', (main) => main.getByRole('region', { name: /Durations/ }).getByRole('link')],
    ['/', (main) => main.getByRole('region', { name: 'Recent Activity' }).getByRole('link')],
    ['/builds-feed', (main) => main.getByRole('link', { name: /Fix the parser/ })],
    ['/octocat/hello/branches', (main) => main.getByRole('link', { name: /Fix the parser/ })],
  ]
  for (const [path, link] of places) {
    await go(path)
    const found = link(page.getByRole('main')).first()
    await expect(found).toHaveAttribute('href', '/octocat/hello/42')
    await found.click()
    await expect(page).toHaveURL(/\/42\/3\/1$/)
  }
  await go('/octocat/hello')
  const [tab] = await Promise.all([page.context().waitForEvent('page'), row(page).first().click({ button: 'middle' })])
  await expect(chosen(tab)).toHaveText(/step-1/)
  await expect(tab).toHaveURL(/\/42$/)
})

test('a running build is followed from step to step and from stage to stage, until a user chooses one; “Follow the build” resumes it', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, buildOf([step(1, 'running'), step(2, 'pending')], [step(1, 'pending'), step(2, 'pending')]))
  await open(page, go)
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await expect(follow(page)).toHaveCount(0)
  await becomes(host, buildOf([step(1, 'success'), step(2, 'running')], [step(1, 'pending'), step(2, 'pending')]))
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await expect(chosen(page)).toHaveText(/step-2/)
  await becomes(host, buildOf([step(1, 'success'), step(2, 'success')], [step(1, 'running'), step(2, 'pending')]))
  await expect(page).toHaveURL(/\/42\/2\/1$/)
  // The user chooses a step.
  await stages(page).getByRole('button', { name: 'stage-1' }).click()
  await stages(page)
    .getByRole('link', { name: /step-2/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await stages(page).getByRole('button', { name: 'stage-2' }).click()
  await expect(follow(page)).toBeVisible()
  await becomes(host, buildOf([step(1, 'success'), step(2, 'success')], [step(1, 'success'), step(2, 'running')]))
  await expect(
    stages(page)
      .getByRole('link', { name: /step-2/ })
      .last(),
  ).toContainText('running')
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await follow(page).click()
  await expect(page).toHaveURL(/\/42\/2\/2$/)
  await expect(follow(page)).toHaveCount(0)
  // At its end the page stays at the current step, and there is nothing left to follow.
  await becomes(host, buildOf([step(1, 'success'), step(2, 'success')], [step(1, 'success'), step(2, 'success')]))
  await expect(banner(page)).toContainText('success')
  await expect(page).toHaveURL(/\/42\/2\/2$/)
  // One history entry per user action: resuming, the choice, the click in the list.
  await page.goBack()
  await expect(page).toHaveURL(/\/42\/1\/2$/)
})

test('closing the details of a build returns to the build', async ({ page, host, go }) => {
  withBuild(host, buildOf([step(1, 'running'), step(2, 'pending')]))
  await open(page, go)
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await page.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Build #42 details' })
  await expect(details).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  await expect(follow(page)).toHaveCount(0)
  await becomes(host, buildOf([step(1, 'success'), step(2, 'running')]))
  await expect(page).toHaveURL(/\/42\/1\/2$/)
})

test('a step that fails elsewhere does not move readers while their own step runs, only after it', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, buildOf([step(1, 'running')], [step(1, 'running')]))
  await open(page, go)
  await becomes(host, buildOf([step(1, 'running')], [failed(1, 'tests', data.now)]))
  await expect(banner(page).getByRole('button', { name: 'tests failed in stage-2' })).toBeVisible()
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await becomes(host, buildOf([step(1, 'success')], [failed(1, 'tests', data.now)]))
  await expect(page).toHaveURL(/\/42\/2\/1$/)
})

test('readers who scrolled up in a log are not moved until they return to its end', async ({ page, host, go }) => {
  withBuild(host, buildOf([step(1, 'running'), step(2, 'pending')]))
  host.on(`GET ${base}/42/logs/1/1`, ok(data.lines(120, (index) => `live ${index + 1}`)))
  await open(page, go)
  for (let pos = 0; pos < 120; pos += 1)
    await host.push('/api/stream/octocat/hello/42/1/1', { pos, out: `live ${pos + 1}\n`, time: pos })
  const line = page.getByRole('log').getByText('live 115', { exact: true })
  await line.hover()
  await page.mouse.wheel(0, -900)
  await expect(follow(page)).toBeVisible()
  await becomes(host, buildOf([step(1, 'running'), step(2, 'running')]))
  await becomes(host, buildOf([step(1, 'success'), step(2, 'running')]))
  await expect(stages(page).getByRole('link', { name: /step-1/ })).toContainText('success')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await expect(page.getByRole('log').getByText('live 60', { exact: true })).toBeInViewport()
  await page.mouse.wheel(0, 9000)
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await expect(follow(page)).toHaveCount(0)
})

test('a search in a log is not interrupted', async ({ page, host, go }) => {
  withBuild(host, buildOf([step(1, 'running'), step(2, 'pending')]))
  host.on(`GET ${base}/42/logs/1/1`, ok(data.lines(3, (index) => `live ${index + 1}`)))
  await open(page, go)
  await host.push('/api/stream/octocat/hello/42/1/1', { pos: 0, out: 'live 1\n', time: 0 })
  await expect(page.getByRole('log')).toContainText('live 1')
  await page.getByRole('button', { name: 'Find in log' }).click()
  const field = page.getByRole('searchbox', { name: 'Find in log' })
  await field.fill('nowhere')
  await becomes(host, buildOf([step(1, 'success'), step(2, 'running')]))
  await expect(stages(page).getByRole('link', { name: /step-1/ })).toContainText('success')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await expect(field).toHaveValue('nowhere')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/42\/1\/2$/)
})

test('restart follows the new build from its first step', async ({ page, host, go }) => {
  withBuild(host)
  const fresh = { ...buildOf([step(1, 'pending'), step(2, 'pending')]), number: 43, id: 8 }
  host.on(`POST ${base}/42`, ok({ ...fresh, stages: undefined })).on(`GET ${base}/43`, ok(fresh))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Restart' }).click()
  await expect(page).toHaveURL(/\/43\/1\/1$/)
  const running = { ...buildOf([step(1, 'success'), step(2, 'running')]), number: 43, id: 8 }
  host.on(`GET ${base}/43`, ok(running))
  await host.push('/api/stream', { ...data.repo(), build: running })
  await expect(page).toHaveURL(/\/43\/1\/2$/)
})

test('a blocked build opens at the stage that waits for the reader', async ({ page, host, go }) => {
  const waiting = data.blocked({
    stages: [data.stage(), data.stage({ number: 2, name: 'release', status: 'blocked', steps: [] })],
  })
  withBuild(host, waiting)
  await open(page, go)
  await expect(page).toHaveURL(/\/42\/2$/)
  await expect(page.getByRole('button', { name: 'Approve Build' })).toBeVisible()
})

const sixty = (running: number) =>
  buildOf(
    ...Array.from({ length: 60 }, (_, index) => [
      step(1, index + 1 < running ? 'success' : index + 1 === running ? 'running' : 'pending'),
    ]),
  )

/** Whether the element is completely visible in the scrolled list. */
const isSeen = async (page: Page, place: Locator): Promise<boolean> => {
  const [list, own] = [await box(stages(page)), await box(place)]
  return own.y >= list.y && own.y + own.height <= list.y + list.height
}

test('of sixty stages the current one and its neighbors are visible', async ({ page, host, go }) => {
  withBuild(host, sixty(40))
  await open(page, go)
  await expect(page).toHaveURL(/\/42\/40\/1$/)
  const names = (number: number) => stages(page).getByText(`stage-${number}`, { exact: true })
  for (const number of [39, 40, 41]) expect(await isSeen(page, names(number)), `${number}`).toBe(true)
  // The list does not scroll under the pointer; away from it, the list follows the build.
  await page.getByRole('heading', { level: 1 }).hover()
  await becomes(host, sixty(58))
  await expect(page).toHaveURL(/\/42\/58\/1$/)
  await expect
    .poll(async () => Promise.all([57, 58, 59].map((number) => isSeen(page, names(number)))))
    .toEqual([true, true, true])
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  // The same by key, from one end to the other.
  for (let number = 57; number >= 30; number -= 1) {
    await page.keyboard.press('[')
    await expect(page).toHaveURL(new RegExp(`/42/${number}/1$`))
  }
  // The URL changes before the step is rendered.
  await expect
    .poll(async () => Promise.all([29, 30, 31].map((number) => isSeen(page, names(number)))))
    .toEqual([true, true, true])
  await page.keyboard.press(']')
  await expect(page).toHaveURL(/\/42\/31\/1$/)
  await expect(follow(page)).toBeVisible()
})

test('a list under the pointer does not scroll until a while after the pointer has left', async ({
  page,
  host,
  go,
}) => {
  await page.clock.install()
  withBuild(host, sixty(2))
  await open(page, go)
  await expect(chosen(page)).toHaveAttribute('href', /\/42\/2\/1$/)
  const list = await box(stages(page))
  await page.mouse.move(list.x + 50, list.y + 200)
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await page.mouse.move(list.x + 60, list.y + 210)
  await becomes(host, sixty(50))
  await expect
    .poll(async () => {
      await page.clock.runFor(50)
      return chosen(page).getAttribute('href')
    })
    .toMatch(/\/42\/50\/1$/)
  const top = () => stages(page).evaluate((nav) => nav.scrollTop)
  expect(await top()).toBe(0)
  await page.clock.runFor(2_000)
  await expect.poll(top).toBeGreaterThan(100)
})

test('a failed step opened by a click shows all its lines; a plain URL the last 250', async ({ page, host, go }) => {
  withBuild(host, broken())
  for (const place of ['3/1', '1/2']) host.on(`GET ${base}/42/logs/${place}`, ok(data.lines(600)))
  const all = page.getByRole('button', { name: 'Show all logs' })
  const end = page.getByRole('log').getByText('line 600', { exact: true })
  await go('/octocat/hello/42/3/1')
  await expect(end).toBeVisible()
  await expect(all).toBeVisible()
  // Already on this step: the key still shows all lines, and adds no history entry.
  await page.keyboard.press('f')
  await page.keyboard.press('Shift+F')
  await expect(page).toHaveURL(/\/42\/3\/1$/)
  await expect(end).toBeVisible()
  await expect(all).toHaveCount(0)
  await go('/octocat/hello/42/3/1')
  await expect(all).toBeVisible()
  await banner(page).getByRole('button', { name: 'lint failed in stage-1' }).click()
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await expect(end).toBeVisible()
  await expect(all).toHaveCount(0)
  await open(page, go)
  await expect(end).toBeVisible()
  await expect(all).toHaveCount(0)
})

test('showing all lines by keyboard keeps the focus in the log, at the same line', async ({ page, host, go }) => {
  withBuild(host, broken())
  host.on(`GET ${base}/42/logs/3/1`, ok(data.lines(600)))
  await go('/octocat/hello/42/3/1')
  const lines = page.getByRole('log').locator('[tabindex]').first()
  await lines.focus()
  await expect(page.getByText('line 600', { exact: true })).toBeVisible()
  // Without smooth scrolling, which has no position to compare with.
  await lines.evaluate((element) => element.scrollBy({ top: -600, behavior: 'instant' }))
  const row = page.getByRole('log').locator('[data-line]').filter({ hasText: 'line 560' })
  await rest(page)
  const place = async () => Math.round((await box(row)).y)
  const before = await place()
  await page.getByRole('button', { name: 'Show all logs' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Show all logs' })).toHaveCount(0)
  await expect(lines).toBeFocused()
  await rest(page)
  expect(await place()).toBe(before)
  await page.keyboard.press('Home')
  await expect(page.getByText('line 1', { exact: true })).toBeInViewport()
})

test('the banner names the first three failed steps, and f and Shift+f move between them', async ({
  page,
  host,
  go,
}) => {
  withBuild(
    host,
    buildOf(...Array.from({ length: 7 }, (_, index) => [failed(1, `test-${index + 1}`, data.now - 70 + index)])),
  )
  await go('/octocat/hello/42')
  const named = banner(page).getByRole('button')
  await expect(named).toHaveText([
    'test-1 failed in stage-1',
    'test-2 failed in stage-2',
    'test-3 failed in stage-3',
    'and 4 more',
  ])
  await banner(page).getByRole('button', { name: 'and 4 more' }).click()
  await expect(named).toHaveCount(7)
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/\/42\/2\/1$/)
  await page.keyboard.press('Shift+F')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await page.keyboard.press('Shift+F')
  await expect(page).toHaveURL(/\/42\/7\/1$/)
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
})

test('n and p open the newer and the older build of the branch, at the step that matters', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, broken())
  const other = { ...buildOf([step(1, 'success'), failed(2, 'deploy', data.now)]), number: 45, id: 9 }
  const between = data.build({ number: 44, id: 10, target: 'next' })
  host
    .on(`GET ${base}`, ok([other, between, broken()]))
    .on(`GET ${base}/45`, ok(other))
    .on(`GET ${base}/45/logs/1/2`, ok(data.lines(3)))
  await go('/octocat/hello/42')
  await expect(chosen(page)).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/\/45\/1\/2$/)
  await page.keyboard.press('n')
  await expect(page.getByText('No newer build on main')).toBeVisible()
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/42\/3\/1$/)
})

test('j and k move through the rows of a list, Enter opens one; the list of shortcuts has them all', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, {}, [data.build({ number: 44, id: 9 }), data.build({ number: 43, id: 8 }), data.build()])
  host.on(`GET ${base}/43`, ok({ ...data.detail(), number: 43, id: 8 }))
  await go('/octocat/hello')
  await expect(row(page)).toHaveCount(3)
  await page.keyboard.press('j')
  await expect(row(page).nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(row(page).nth(2)).toBeFocused()
  await page.keyboard.press('k')
  await expect(row(page).nth(1)).toBeFocused()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const key of ['j', 'k', 'f', 'Shift+f', '[', ']', 'n', 'p'])
    await expect(keys.getByText(key, { exact: true }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/43$/)
})

test('on a phone a click on a failed build opens its log immediately; closed, it stays closed', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, broken())
  await page.setViewportSize({ width: 390, height: 844 })
  await go('/octocat/hello')
  await row(page).first().click()
  await expect(openDialog(page).getByRole('log')).toContainText('line 3')
  await openDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(chosen(page)).toHaveText(/tests/)
  await expect(banner(page).getByRole('button')).toHaveText(['tests failed in stage-3', 'and 1 more'])
  await rest(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  // A successful build shows its overview.
  withBuild(host)
  await go('/octocat/hello')
  await row(page).first().click()
  await expect(banner(page)).toContainText('success')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('on a phone Back closes a log opened on the page, and Forward opens it again', async ({ page, host, go }) => {
  withBuild(host, broken())
  await page.setViewportSize({ width: 390, height: 844 })
  await go('/octocat/hello/42')
  const log = page.getByRole('dialog')
  const opens = [
    () =>
      banner(page)
        .getByRole('button', { name: /tests failed/ })
        .click(),
    () =>
      stages(page)
        .getByRole('link', { name: /step-1/ })
        .first()
        .click(),
  ]
  for (const open of opens) {
    await expect(page).toHaveURL(/\/42$/)
    await expect(banner(page)).toContainText('tests failed')
    await open()
    await expect(log.getByRole('log')).toContainText('line 3')
    await expect(page).not.toHaveURL(/\/42$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/42$/)
    await expect(log).toHaveCount(0)
  }
  await page.goForward()
  await expect(log.getByRole('log')).toContainText('line 3')
  // Closing it on this entry keeps it closed.
  await log.getByRole('button', { name: 'Close' }).click()
  await expect(log).toHaveCount(0)
  await page.goBack()
  await page.goForward()
  await expect(page).not.toHaveURL(/\/42$/)
  await expect(log).toHaveCount(0)
})
