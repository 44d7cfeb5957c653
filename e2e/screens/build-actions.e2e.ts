/** Actions on the build page: cancel, restart, promote, approve (specification §2, §4). */
import type { Page } from '@playwright/test'
import { statuses } from '@flightdeck/api'
import {
  box,
  choose,
  data,
  latch,
  expect,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  toastShows,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const readers = { permissions: { read: true, write: false, admin: false } }
const stages = (page: Page) => page.getByRole('navigation', { name: 'Pipeline stages' })
const banner = (page: Page) => page.getByRole('status', { name: 'Build status' })
const openDialog = (page: Page) => page.getByRole('dialog')

test('[S4.states.21] [S4.states.22] [S7.calls.19] cancel needs no confirmation and moves to the returned build', async ({
  page,
  host,
  go,
}) => {
  for (const build of [data.running(), data.detail({ status: 'pending', started: 0, finished: 0 })]) {
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

test('[S4.states.23] [S4.states.24] [S4.states.25] [S7.calls.18] restart and debug @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host
    .on(`POST ${base}/42`, (call) => ok(data.build({ number: call.query ? 44 : 43 })))
    .on(`GET ${base}/43`, ok(data.detail({ number: 43, id: 8 })))
    .on(`GET ${base}/44`, ok(data.detail({ number: 44, id: 9 })))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Restart', 'Promote', 'Debug', 'With changes…', 'Rollback'])
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
  // By a link with parameters. One is removed; one called `target` does not override the target.
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

test('[S2.build.5] [S4.states.19] [S4.states.20] [S6.roles.4] [S7.calls.21] a blocked stage is approved or declined, and no other [F.approval.1] [F.approval.2]', async ({
  page,
  host,
  go,
}) => {
  withBuild(
    host,
    data.blocked({
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

test('[S2.build.6] [S6.roles.4] readers see that the build is blocked, and have no actions and no cancel [F.build.1] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.blocked(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Build is blocked, please, contact repo admin in order to proceed')).toBeVisible()
  await expect(page.getByRole('button', { name: /Approve|Decline|Cancel|Actions/ })).toHaveCount(0)
  withBuild(host, data.running(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Step is running...')).toBeVisible()
  await expect(page.getByRole('button', { name: /Cancel|Actions/ })).toHaveCount(0)
  withBuild(host, data.detail(), readers)
  await go('/octocat/hello/42')
  await expect(page.getByText('Exit Code 0')).toBeVisible()
  await expect(page.getByRole('button', { name: /Cancel|Actions/ })).toHaveCount(0)
  // A system administrator has all actions (specification §6).
  signedInAs(host, { admin: true })
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(1)
})

test('with a Drone server, writers read that only administrators can approve; with ours they can @system', async ({
  page,
  host,
  go,
}) => {
  const note = page.getByText('A Drone server lets only repository administrators approve and decline.')
  const approve = page.getByRole('button', { name: 'Approve Build' })
  withBuild(host, data.blocked(), { permissions: { read: true, write: true, admin: false } })
  await go('/octocat/hello/42')
  await expect(approve).toBeVisible()
  await expect(note).toBeVisible()
  signedInAs(host, ours)
  await go('/octocat/hello/42')
  await expect(approve).toBeVisible()
  await expect(note).toHaveCount(0)
  signedInAs(host, {})
  withBuild(host, data.blocked(), { permissions: { read: true, write: true, admin: true } })
  await go('/octocat/hello/42')
  await expect(approve).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('[S4.states.21] [S4.states.23] each status has its actions: cancel while pending or running, the menu when finished @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ status: 'pending' }))
  await go('/octocat/hello/42')
  await expect(banner(page)).toContainText('pending')
  for (const [index, status] of statuses.entries()) {
    // The page reads an unfinished build again a second after its stream opens: the server's answer
    // is what its event says.
    withBuild(host, data.detail({ status, version: 10 + index }))
    await host.push('/api/stream', { ...data.repo(), build: data.build({ status, version: 10 + index }) })
    await expect(banner(page)).toHaveText(new RegExp(`${status.replaceAll('_', ' ')}$`))
    await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(/pending|running/.test(status) ? 1 : 0)
    const isFinished = !/pending|running|blocked|waiting/.test(status)
    await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(isFinished ? 1 : 0)
  }
})

for (const width of [390, 1280])
  test(`an accidental cancel is undone with one click, and a double click on Cancel does not restart, at ${width} px @system`, async ({
    page,
    host,
    go,
  }) => {
    await page.clock.install()
    await page.setViewportSize({ width, height: 800 })
    const killed = data.detail({ status: 'killed', stages: [data.stage({ status: 'killed' })] })
    const { opened, open } = latch()
    withBuild(host, data.running())
    host
      .on(`DELETE ${base}/42`, async () => {
        await opened
        host.on(`GET ${base}/42`, ok(killed))
        return ok(data.build({ status: 'killed' }))
      })
      .on(`POST ${base}/42`, ok(data.build({ number: 43 })))
      .on(`GET ${base}/43`, ok(data.running({ number: 43, id: 8 })))
    await go('/octocat/hello/42/1/1')
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    const restart = page.getByRole('button', { name: 'Restart', exact: true })
    const place = await box(cancel)
    const press = () => page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await press()
    await expect(cancel).toHaveAttribute('aria-busy', 'true')
    await press()
    open()
    await expect
      .poll(async () => {
        await page.clock.runFor(20)
        return restart.count()
      })
      .toBe(1)
    // The button is where Cancel was, and the second click of a double click does nothing.
    const now = await box(restart)
    expect(Math.abs(now.x - place.x)).toBeLessThan(place.width / 2)
    expect(now.y).toBeCloseTo(place.y, 0)
    await press()
    expect(host.made(`POST ${base}/42`)).toHaveLength(0)
    await expect(restart).not.toHaveAttribute('aria-busy')
    await page.clock.runFor(1_000)
    await press()
    await expect.poll(() => host.made(`POST ${base}/42`).length).toBe(1)
    expect(host.made(`DELETE ${base}/42`)).toHaveLength(1)
    await page.clock.runFor(1_000)
    await expect(page).toHaveURL(/\/43\/1\/1$/)
  })

test('a build that was canceled long ago offers Restart immediately, beside its menu @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ status: 'killed' }))
  host.on(`POST ${base}/42`, ok(data.build({ number: 43 }))).on(`GET ${base}/43`, ok(data.running({ number: 43 })))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Restart', 'Promote', 'Debug', 'With changes…', 'Rollback'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Restart', exact: true }).click()
  await expect(page).toHaveURL(/\/43\/1\/1$/)
})

test('several waiting stages are approved together, and the banner links to the remaining ones @system', async ({
  page,
  host,
  go,
}) => {
  const waits = (number: number, name: string, status: 'blocked' | 'success' = 'blocked') =>
    data.stage({ number, name, status, ...(status === 'blocked' && { started: 0, stopped: 0, steps: [] }) })
  withBuild(host, data.blocked({ stages: [waits(1, 'lint'), waits(2, 'release'), waits(3, 'later')] }))
  for (const stage of [1, 2, 3]) host.on(`POST ${base}/42/approve/${stage}`, { status: 204 })
  await go('/octocat/hello/42/1')
  await expect(banner(page).getByRole('button', { name: 'lint is waiting for approval' })).toHaveCount(0)
  await banner(page).getByRole('button', { name: 'later is waiting for approval' }).click()
  await expect(page).toHaveURL(/\/42\/3$|\/42\/3\/1$/)
  await expect(page.getByRole('button', { name: 'Approve Build' })).toBeVisible()
  await page.getByRole('button', { name: 'Approve all' }).click()
  await expect.poll(() => host.calls.filter(({ path }) => path.includes('/approve/')).length).toBe(3)
  for (const stage of [1, 2, 3]) expect(host.made(`POST ${base}/42/approve/${stage}`)).toHaveLength(1)
  // One stage is left while the build is running: the page still links to it, without a button for
  // all.
  withBuild(host, data.detail({ status: 'running', finished: 0, stages: [data.stage(), waits(2, 'release')] }))
  await go('/octocat/hello/42/1/1')
  await banner(page).getByRole('button', { name: 'release is waiting for approval' }).click()
  await expect(page.getByRole('button', { name: 'Approve Stage' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve all' })).toHaveCount(0)
})

test('deploying a build that did not succeed shows a warning @system', async ({ page, host, go }) => {
  withBuild(host, data.oneStage({ status: 'failure' }, { status: 'failure' }))
  await go('/octocat/hello/42/1/1')
  await choose(page, 'Promote')
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Build #42 did not succeed (failure)')
  withBuild(host, data.detail())
  await go('/octocat/hello/42/1/1')
  await choose(page, 'Promote')
  await expect(page.getByLabel('Target')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('status')).toHaveCount(0)
})

test('the commands of each waiting stage are readable before the approval, the current stage first @system', async ({
  page,
  host,
  go,
}) => {
  const waits = (number: number, name: string) =>
    data.stage({ number, name, status: 'blocked', started: 0, stopped: 0, steps: [] })
  withBuild(host, data.blocked({ stages: [waits(1, 'lint'), waits(2, 'release')] }))
  signedInAs(host, ours).on(
    `GET ${base}/42/details`,
    ok({
      waiting_stages: [
        { stage: 'lint', steps: [{ name: 'check', commands: ['make lint'] }] },
        {
          stage: 'release',
          cut: true,
          settings: 'volumes:\n  -\n    host:\n      path: /var/run/docker.sock',
          services: [
            { name: 'db', image: 'postgres:17', commands: [], environment: { PASSWORD: { from_secret: 'db' } } },
          ],
          steps: [
            {
              name: 'plugin',
              image: 'plugins/ship',
              commands: [],
              settings: 'privileged: true\nsettings:\n  token:\n    from_secret: ship_token',
            },
            {
              name: 'ship',
              commands: ['make <b>ship</b>\u202e'],
              environment: { MODE: 'fast', KEY: { from_secret: 'ship_key' } },
            },
          ],
        },
      ],
      attempts: [],
    }),
  )
  await go('/octocat/hello/42/2')
  const commands = page.getByRole('region', { name: 'Commands to approve' })
  await expect(commands.getByRole('heading')).toHaveText(['release', 'Services', 'Pipeline settings', 'lint'])
  const release = commands.getByRole('region', { name: 'Commands of release' })
  await expect(release).toContainText('make <b>ship</b>U+202E')
  await expect(release).toContainText('MODE=fast')
  await expect(release).toContainText('KEY=(secret ship_key)')
  await expect(release).toContainText('plugin in plugins/ship')
  await expect(release).toContainText(/privileged: true\s+settings:\s+token:\s+from_secret: ship_token/)
  await expect(release).toContainText('db in postgres:17')
  await expect(release).toContainText('PASSWORD=(secret db)')
  await expect(release).toContainText('path: /var/run/docker.sock')
  await expect(release).toContainText('Only part of this stage is shown')
  await expect(commands.getByRole('region', { name: 'Commands of lint' })).toContainText('$ make lint')
  // Without a key or click; the other views lead back to it.
  const show = page.getByRole('button', { name: 'Show commands' })
  await expect(show).toHaveCount(0)
  await page.getByRole('button', { name: 'Graph View' }).click()
  await expect(commands).toHaveCount(0)
  await show.press('Enter')
  await expect(commands).toContainText('make lint')
})

test('on a phone many commands have a screen of their own, and the page below scrolls @system', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const stages = [data.stage({ name: 'lint', status: 'blocked', started: 0, stopped: 0, steps: [] })]
  withBuild(host, data.blocked({ stages }))
  const steps = Array.from({ length: 30 }, (_, index) => ({ name: `step ${index}`, commands: ['make'] }))
  signedInAs(host, ours).on(`GET ${base}/42/details`, ok({ waiting_stages: [{ stage: 'lint', steps }], attempts: [] }))
  await go('/octocat/hello/42/1')
  const note = page.getByRole('region', { name: 'Waiting for approval' })
  expect((await box(note)).height).toBeLessThanOrEqual(200)
  const [above, below] = [await box(banner(page)), await box(page.getByRole('heading', { level: 1 }))]
  expect(above.y + above.height, 'nothing covers the banner').toBeLessThanOrEqual(below.y)
  await note.getByRole('button', { name: 'Show commands' }).click()
  const commands = openDialog(page).getByRole('region', { name: 'Commands to approve' })
  await expect(commands).toContainText('step 29')
  expect(await commands.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
  expect((await box(commands)).height).toBeGreaterThan(500)
  await page.keyboard.press('Escape')
  await expect(note.getByRole('button', { name: 'Show commands' })).toBeFocused()
})

test('if not all stages can be approved, the result of each one is shown @system', async ({ page, host, go }) => {
  const waits = (number: number, name: string) =>
    data.stage({ number, name, status: 'blocked', started: 0, stopped: 0, steps: [] })
  withBuild(host, data.blocked({ stages: [waits(1, 'lint'), waits(2, 'release'), waits(3, 'later')] }))
  const reason = 'Cannot approve a Pipeline with Status "declined"'
  host
    // Somebody else has approved it meanwhile.
    .on(`POST ${base}/42/approve/1`, {
      status: 400,
      json: { message: 'Cannot approve a Pipeline with Status "running"' },
    })
    .on(`POST ${base}/42/approve/2`, { status: 400, json: { message: reason } })
    .on(`POST ${base}/42/approve/3`, { status: 204 })
  await go('/octocat/hello/42/1')
  await page.getByRole('button', { name: 'Approve all' }).click()
  await expect(page.getByRole('list', { name: 'Approvals' })).toHaveText(
    `lint is approvedrelease is not approved: ${reason}later is approved`,
  )
  await toastShows(page, `Unable to approve build: ${reason}`)
  // Below the buttons, which stay on one row.
  const [all, details, log, outcomes] = [
    await box(page.getByRole('button', { name: 'Approve all' })),
    await box(page.getByRole('button', { name: 'Details', exact: true })),
    await box(page.getByRole('button', { name: 'Log View' })),
    await box(page.getByRole('list', { name: 'Approvals' })),
  ]
  for (const other of [details, log]) expect(Math.abs(other.y - all.y)).toBeLessThan(8)
  expect(outcomes.y).toBeGreaterThanOrEqual(details.y + details.height)
})
