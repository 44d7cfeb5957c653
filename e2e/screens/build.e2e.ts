import type { Build, Stage } from '@flightdeck/api'
import { data, expect, fail, ok, test, withBuild } from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const log = `${base}/42/logs/1/1`
const running = (over: Partial<Build> = {}): Build =>
  data.detail({
    status: 'running',
    finished: 0,
    stages: [
      data.stage({ status: 'running', stopped: 0, steps: [data.step({ status: 'running', stopped: undefined })] }),
    ],
    ...over,
  })
const oneStage = (
  over: Partial<Stage>,
  step: Parameters<typeof data.step>[0] = {},
  status: Build['status'] = 'failure',
): Build => data.detail({ status, stages: [data.stage({ ...over, steps: [data.step(step)] })] })

test('[S2.routes.14] [S2.build.1] [S2.build.19] [S7.calls.15] [S7.calls.22] stage and step default to 1', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  await go('/octocat/hello/42')
  await expect(page.getByText('line 3')).toBeVisible()
  expect(host.made(`GET ${log}`)).toHaveLength(1)
  await expect(page.getByText('Pipeline stages')).toBeVisible()
  await expect(page.getByText('1 stage', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Builds' }).first()).toHaveAttribute('href', '/octocat/hello')
  await expect(page.getByText('#42').first()).toBeVisible()
})

test('[S2.build.2] the chosen view is remembered', async ({ page, host, go }) => {
  withBuild(host)
  await go('/octocat/hello/42')
  await page
    .getByRole('button', { name: 'Graph View' })
    .or(page.getByRole('radio', { name: 'Graph View' }))
    .or(page.getByRole('tab', { name: 'Graph View' }))
    .first()
    .click()
  await expect(page.getByRole('button', { name: /zoom in/i }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /zoom in/i }).first()).toBeVisible()
})

test('[S2.build.25] [S9.constants.10] the last 250 lines until all are asked for', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000)))
  await go('/octocat/hello/42')
  await expect(page.getByText('line 1000', { exact: true })).toBeVisible()
  await expect(page.getByText('line 750', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect(page.getByRole('button', { name: 'Show all logs' })).toHaveCount(0)
  await expect(page.getByText('line 1000', { exact: true })).toBeVisible()
})

test('[S2.build.26] the download has every line', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000)))
  await go('/octocat/hello/42')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /download/i })
      .or(page.getByRole('link', { name: /download/i }))
      .first()
      .click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toBe(
    data
      .lines(1000)
      .map((line) => line.out)
      .join(''),
  )
})

test('[S4.states.10] [S4.states.36] [S4.states.37] [S7.calls.34] a running step streams until eof', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, running())
  await go('/octocat/hello/42')
  const stream = '/api/stream/octocat/hello/42/1/1'
  await host.push(stream, { pos: 0, out: '\u001b[31mred words\u001b[0m\n', time: 0 })
  await expect(page.getByText('red words')).toBeVisible()
  await expect(page.getByText('Step is running...')).toBeVisible()
  await host.push(stream, { pos: 0, out: '\u001b[31mred words\u001b[0m\n', time: 0 })
  await host.push(stream, { pos: 1, out: 'next\n', time: 1 })
  await expect(page.getByText('next', { exact: true })).toBeVisible()
  await expect(page.getByText('red words')).toHaveCount(1)
  expect(host.made(`GET ${log}`)).toHaveLength(0)
  const opened = host.calls.filter((call) => call.path === stream).length
  await host.eof(stream)
  await page.waitForTimeout(3_500)
  expect(host.calls.filter((call) => call.path === stream)).toHaveLength(opened)
})

test('[S4.states.38] a cut log stream is opened again', async ({ page, host, go }) => {
  withBuild(host, running())
  await go('/octocat/hello/42')
  const stream = '/api/stream/octocat/hello/42/1/1'
  await host.push(stream, { pos: 0, out: 'before\n', time: 0 })
  await expect(page.getByText('before', { exact: true })).toBeVisible()
  host.cutStreams(502)
  await expect.poll(() => host.calls.filter((call) => call.path === stream).length).toBeGreaterThan(1)
  host.cutStreams(200)
  await host.push(stream, { pos: 0, out: 'before\n', time: 0 })
  await host.push(stream, { pos: 1, out: 'after\n', time: 3 })
  await expect(page.getByText('after', { exact: true })).toBeVisible()
  await expect(page.getByText('before', { exact: true })).toHaveCount(1)
})

test('[S2.build.27] a debug session is linked', async ({ page, host, go }) => {
  withBuild(host, running({ debug: true }))
  await go('/octocat/hello/42')
  await host.push('/api/stream/octocat/hello/42/1/1', {
    pos: 0,
    out: 'web session: https://tmate.example.com/t/abc\n',
    time: 0,
  })
  await expect(page.locator('a[href="https://tmate.example.com/t/abc"]').first()).toBeVisible()
})

const says: [ids: string, build: Build, answer: Parameters<typeof fail> | null, text: string][] = [
  [
    '[S8.console.8] [S4.states.17]',
    oneStage({ status: 'declined' }, {}, 'declined'),
    null,
    'This pipeline was declined',
  ],
  ['[S8.console.1]', oneStage({ status: 'skipped' }, { status: 'skipped' }), null, 'unit: Skipped'],
  [
    '[S8.console.2] [S4.states.9]',
    oneStage({ status: 'error', error: 'boom' }, { status: 'skipped' }, 'error'),
    null,
    'unit: test - Error',
  ],
  [
    '[S8.console.3]',
    oneStage({ status: 'killed' }, { status: 'killed' }, 'killed'),
    [404, 'nothing'],
    'unit: test - Killed (Cancelled)',
  ],
  [
    '[S8.console.4] [S4.states.13]',
    oneStage({ status: 'failure' }, { status: 'error', error: 'no such image' }),
    [404, 'nothing'],
    'test: no such image',
  ],
  [
    '[S8.console.5]',
    oneStage({ status: 'success' }, {}, 'success'),
    [404, 'sql: no rows in result set'],
    'Step does not exist',
  ],
  [
    '[S8.console.5]',
    oneStage({ status: 'success' }, {}, 'killed'),
    [404, 'sql: no rows in result set'],
    'This pipeline was cancelled',
  ],
  ['[S8.console.6]', oneStage({ status: 'success' }, {}, 'success'), [500, 'the log is gone'], 'the log is gone'],
]
for (const [ids, build, answer, text] of says)
  test(`${ids} the console says '${text}'`, async ({ page, host, go }) => {
    withBuild(host, build)
    host.on(`GET ${log}`, answer ? fail(...answer) : ok([]))
    await go('/octocat/hello/42')
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  })

test('[S8.console.9] [S4.states.15] no lines', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${log}`, ok([]))
  await go('/octocat/hello/42')
  await expect(page.getByText('unit - test: success')).toBeVisible()
})

const footers: [string, Build, string][] = [
  ['[S8.footer.2] [S4.states.14]', oneStage({ status: 'failure' }, { status: 'failure', exit_code: 3 }), 'Exit Code 3'],
  ['[S8.footer.3]', data.detail(), 'Exit Code 0'],
  [
    '[S8.footer.6] [S4.states.16]',
    oneStage({ status: 'killed' }, { status: 'killed', exit_code: 130 }, 'killed'),
    'Step is killed (canceled)',
  ],
  ['[S8.footer.1]', oneStage({ status: 'failure' }, { status: 'error', error: 'out of disk' }), 'out of disk'],
  [
    '[S8.footer.5]',
    oneStage({ status: 'running' }, { status: 'pending', started: undefined, stopped: undefined }, 'running'),
    'Step is pending',
  ],
  ['[S8.footer.7]', oneStage({ status: 'failure' }, { status: 'skipped' }), 'Loading...'],
]
for (const [ids, build, text] of footers)
  test(`${ids} the footer says '${text}'`, async ({ page, host, go }) => {
    withBuild(host, build)
    await go('/octocat/hello/42')
    await expect(page.getByText(text, { exact: true }).last()).toBeVisible()
  })

test('[S8.pages.1] [S2.build.7] a build that does not exist is not found', async ({ page, host, go }) => {
  for (const message of ['Not Found', 'sql: no rows in result set']) {
    withBuild(host)
    host.on(`GET ${base}/42`, fail(404, message))
    await go('/octocat/hello/42')
    await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  }
})

test('[S8.pages.2] [S8.pages.3] other errors are told', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`GET ${base}/42`, fail(500, 'a strange fault'))
  await go('/octocat/hello/42')
  await expect(page.getByText('a strange fault')).toBeVisible()
})

test('[S4.states.21] [S4.states.22] [S7.calls.19] cancel moves to the returned build', async ({ page, host, go }) => {
  withBuild(host, running())
  host.on(`DELETE ${base}/42`, ok(data.detail({ status: 'killed' })))
  await go('/octocat/hello/42/1/1')
  await page.getByRole('button', { name: /^cancel/i }).click()
  await expect.poll(() => host.made(`DELETE ${base}/42`).length).toBe(1)
  await expect(page).toHaveURL(/\/octocat\/hello\/42$/)
})

test('[S4.states.23] [S4.states.24] [S7.calls.18] restart', async ({ page, host, go }) => {
  withBuild(host)
  host
    .on(`POST ${base}/42`, ok(data.build({ number: 43, id: 8 })))
    .on(`GET ${base}/43`, ok(data.detail({ number: 43, id: 8 })))
  await go('/octocat/hello/42')
  await page
    .getByRole('button', { name: /actions|more/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Restart' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/43\/1\/1$/)
  expect(host.made(`POST ${base}/42`)[0]?.query).toBe('')
})

test('[S4.states.25] debug', async ({ page, host, go }) => {
  withBuild(host)
  host.on(`POST ${base}/42`, ok(data.build({ number: 44 }))).on(`GET ${base}/44`, ok(data.detail({ number: 44 })))
  await go('/octocat/hello/42')
  await page
    .getByRole('button', { name: /actions|more/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Debug' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/44(\/|$)/)
  expect(host.made(`POST ${base}/42`)[0]?.query).toBe('?debug=true')
})

test('[S2.dialogs.2] [S5.validation.6] [S7.calls.20] [S9.constants.20] promote', async ({ page, host, go }) => {
  withBuild(host)
  host
    .on(`POST ${base}/42/promote`, ok(data.build({ number: 45 })))
    .on(`GET ${base}/45`, ok(data.detail({ number: 45 })))
  await go('/octocat/hello/42')
  await page
    .getByRole('button', { name: /actions|more/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Promote' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create deployment' })
  await dialog.getByLabel('Key').fill('A')
  await dialog.getByLabel('Value').fill('b c')
  await dialog
    .getByRole('button', { name: /create|deploy|promote/i })
    .last()
    .click()
  await expect(page).toHaveURL(/\/octocat\/hello\/45(\/|$)/)
  expect(Object.fromEntries(new URLSearchParams(host.made(`POST ${base}/42/promote`)[0]?.query))).toEqual({
    A: 'b c',
    target: 'production',
  })
})

test('[S2.build.5] [S4.states.19] [S4.states.20] [S7.calls.21] a blocked build is approved', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, oneStage({ status: 'blocked', steps: undefined }, {}, 'pending'))
  host.on(`POST ${base}/42/approve/1`, { status: 204 }).on(`POST ${base}/42/decline/1`, fail(500, 'too late'))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Decline Build' }).click()
  await expect(page.getByText('Unable to decline build: too late').first()).toBeVisible()
  await page.getByRole('button', { name: 'Approve Build' }).click()
  await expect.poll(() => host.made(`POST ${base}/42/approve/1`).length).toBe(1)
})

test('[S2.build.6] readers are told that it is blocked', async ({ page, host, go }) => {
  withBuild(host, oneStage({ status: 'blocked' }, {}, 'pending'), {
    permissions: { read: true, write: false, admin: false },
  })
  await go('/octocat/hello/42')
  await expect(page.getByText('Build is blocked, please, contact repo admin in order to proceed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve Build' })).toHaveCount(0)
})

test('readers have no cancel and no actions', async ({ page, host, go }) => {
  withBuild(host, running(), { permissions: { read: true, write: false, admin: false } })
  await go('/octocat/hello/42')
  await expect(page.getByText('Step is running...')).toBeVisible()
  await expect(page.getByRole('button', { name: /^cancel|actions/i })).toHaveCount(0)
})

test('[S2.build.20] [S9.constants.16] below 768 px the console is a modal with a way out', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  await page.setViewportSize({ width: 767, height: 800 })
  await go('/octocat/hello/42/1/1')
  const step = page.getByRole('link', { name: /test/ }).first()
  if (!(await page.getByRole('dialog').count())) await step.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('line 3')).toBeVisible()
  await dialog.getByRole('button', { name: /close/i }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 768, height: 800 })
  await go('/octocat/hello/42/1/1')
  await expect(page.getByText('line 3')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[S2.build.8] [S2.build.9] [S2.build.10] [S2.build.11] [S2.build.13] [S2.build.29] [S9.constants.15] the graph view', async ({
  page,
  host,
  go,
}) => {
  withBuild(
    host,
    data.detail({
      stages: [
        data.stage(),
        data.stage({
          number: 2,
          name: 'deploy',
          depends_on: ['unit'],
          steps: [data.step({ number: 1, name: 'ship' }), data.step({ number: 2, name: 'tell' })],
        }),
      ],
    }),
  )
  await page.addInitScript(() => localStorage.clear())
  await go('/octocat/hello/42')
  await page
    .getByRole('button', { name: 'Graph View' })
    .or(page.getByRole('radio', { name: 'Graph View' }))
    .or(page.getByRole('tab', { name: 'Graph View' }))
    .first()
    .click()
  await page
    .getByRole('link', { name: /deploy/ })
    .or(page.getByRole('button', { name: /deploy/ }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/2\/1$/)
  await expect(page.getByRole('dialog').getByText('Started')).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('link', { name: /tell/ })
    .or(page.getByRole('button', { name: /tell/ }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/2\/2$/)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /zoom in/i })
    .first()
    .click()
  await expect(page.getByText('120%').first()).toBeVisible()
  await page.getByRole('button', { name: /reset/i }).first().click()
  await expect(page.getByText('100%').first()).toBeVisible()
})
