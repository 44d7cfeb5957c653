/** The messages of the console, and its footer (specification §4 and §8, readings "Console"). */
import type { Build } from '@flightdeck/api'
import { box, data, latch, expect, fail, ok, styleOf, test, withBuild } from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const log = `${base}/42/logs/1/1`
type Says = [ids: string, build: Build, answer: Parameters<typeof fail> | null, text: string]
const noRows: Parameters<typeof fail> = [404, 'sql: no rows in result set']
const says: Says[] = [
  [
    '[S8.console.8] [S4.states.17]',
    data.oneStage({ status: 'declined' }, {}, 'declined'),
    null,
    'This pipeline was declined',
  ],
  [
    '[S8.console.1] [S4.states.18]',
    data.oneStage({ status: 'skipped' }, { status: 'skipped' }, 'killed'),
    null,
    'unit: Skipped',
  ],
  [
    '[S8.console.2] [S4.states.9]',
    data.oneStage({ status: 'error', error: 'boom' }, { status: 'skipped' }, 'error'),
    null,
    'unit: test - Error',
  ],
  [
    '[S8.console.3]',
    data.oneStage({ status: 'killed' }, { status: 'killed' }, 'killed'),
    [404, 'nothing'],
    'unit: test - Killed (Cancelled)',
  ],
  [
    '[S8.console.4] [S4.states.13]',
    data.oneStage({ status: 'failure' }, { status: 'error', error: 'no such image' }),
    [404, 'nothing'],
    'test: no such image',
  ],
  ['[S8.console.5]', data.oneStage({ status: 'success' }, {}, 'success'), noRows, 'Step does not exist'],
  ['[S8.console.5]', data.oneStage({ status: 'success' }, {}, 'killed'), noRows, 'This pipeline was cancelled'],
  ['[S8.console.6]', data.oneStage({ status: 'success' }, {}, 'success'), [500, 'the log is gone'], 'the log is gone'],
  ['[S8.console.9] [S4.states.15]', data.oneStage({ status: 'success' }, {}, 'success'), null, 'unit - test: success'],
  [
    '[S8.console.9] [S4.states.12]',
    data.oneStage({ status: 'failure' }, { status: 'skipped' }, 'failure'),
    null,
    'unit - test: skipped',
  ],
  [
    '[S8.console.9] [S4.states.8]',
    data.detail({ status: 'pending', stages: [data.stage({ status: 'pending', steps: [] })] }),
    null,
    'unit: pending',
  ],
]
for (const [ids, build, answer, text] of says)
  test(`${ids} the console says '${text}' [F.log.12]`, async ({ page, host, go }) => {
    withBuild(host, build)
    host.on(`GET ${log}`, answer ? fail(...answer) : ok([]))
    await go('/octocat/hello/42')
    await expect(page.getByRole('log').getByText(text, { exact: true })).toBeVisible()
  })

test('[S8.console.7] [S8.pages.2] [S8.pages.3] a server that fails without a message: the fallbacks @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, { status: 500, text: '' })
  await go('/octocat/hello/42')
  const words = 'Something went wrong, please, reload the page or restart the build'
  await expect(page.getByRole('log').getByText(words, { exact: true })).toBeVisible()
  host.on(`GET ${base}/42`, { status: 500, text: '' })
  await go('/octocat/hello/42')
  await expect(
    page.getByText('Something went wrong. It is highly likely that this page does not exist', { exact: true }),
  ).toBeVisible()
})

test('[S4.states.15] [S4.states.16] [S4.states.18] [S4.states.14] existing lines are shown, whatever the step’s status', async ({
  page,
  host,
  go,
}) => {
  for (const [step, stage, build] of [
    ['success', 'success', 'success'],
    ['failure', 'failure', 'failure'],
    ['killed', 'killed', 'killed'],
    ['error', 'failure', 'error'],
  ] as const) {
    withBuild(host, data.oneStage({ status: stage }, { status: step, error: 'x' }, build))
    await go('/octocat/hello/42')
    await expect(page.getByRole('log').getByText('line 3', { exact: true })).toBeVisible()
  }
})

/** A stage that failed in the second of three steps. */
const brokenStage = (): Build => {
  const steps = [
    data.step({ name: 'clone' }),
    data.step({ name: 'test', number: 2, status: 'error', error: 'the runner was lost', exit_code: 255 }),
    data.step({ name: 'publish', number: 3, status: 'skipped', started: undefined, stopped: undefined }),
  ]
  return data.detail({
    status: 'error',
    stages: [data.stage({ status: 'error', error: 'the runner was lost', exit_code: 255, steps })],
  })
}

test('[S4.states.18] the error of a stage is above the log of the step that was running, and no other [F.log.12] @system', async ({
  page,
  host,
  go,
}) => {
  const output = page.getByRole('log')
  const region = page.getByRole('region', { name: 'Console' })
  withBuild(host, brokenStage())
  await go('/octocat/hello/42/1/1')
  await expect(output.getByText('line 3', { exact: true })).toBeVisible()
  await expect(output).not.toContainText('Error')
  await expect(output).not.toContainText('the runner was lost')
  await expect(region.locator('footer')).toContainText('Exit Code 0')
  await expect(region.getByRole('button', { name: 'Find in log' })).toBeEnabled()
  await page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link', { name: 'test' }).click()
  const message = output.getByText('unit: test - Error', { exact: true })
  await expect(message).toBeVisible()
  await expect(output.getByText('the runner was lost', { exact: true })).toBeVisible()
  const line = output.getByText('line 1', { exact: true })
  await expect(line).toBeInViewport()
  const [messageBox, lineBox] = [await box(message), await box(line)]
  expect(messageBox.y + messageBox.height).toBeLessThanOrEqual(lineBox.y)
  await expect(region.locator('footer')).toContainText('the runner was lost')
  await expect(region.getByRole('button', { name: 'Download log' })).toBeEnabled()
})

test('the message above the log of a step with an error keeps its position while the log is read @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, brokenStage())
  const { opened, open } = latch()
  host.on(`GET ${base}/42/logs/1/2`, async () => {
    await opened
    return ok(data.lines(3))
  })
  await go('/octocat/hello/42/1/2')
  const message = page.getByRole('log').getByText('unit: test - Error', { exact: true })
  const before = await box(message)
  open()
  await expect(page.getByRole('log').getByText('line 3', { exact: true })).toBeVisible()
  expect(await box(message)).toEqual(before)
})

test('[S8.console.8] a declined build keeps the logs of the stages that ran before [F.log.12] @system', async ({
  page,
  host,
  go,
}) => {
  const waits = { number: 2, name: 'deploy', started: 0, stopped: 0 } as const
  const stages = [
    data.stage(),
    data.stage({ ...waits, status: 'declined', steps: [data.step({ status: 'declined' })] }),
  ]
  withBuild(host, data.detail({ status: 'declined', stages }))
  await go('/octocat/hello/42/1/1')
  const output = page.getByRole('log')
  await expect(output.getByText('This pipeline was declined', { exact: true })).toBeVisible()
  await expect(output.getByText('line 3', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Console' }).locator('footer')).toContainText('Exit Code 0')
  await go('/octocat/hello/42/2/1')
  await expect(output.getByText('This pipeline was declined', { exact: true })).toBeVisible()
  expect(host.made(`GET ${base}/42/logs/2/1`)).toHaveLength(0)
})

test('[S4.states.11] [S4.states.8] a saved log is requested only after the step has finished @system', async ({
  page,
  host,
  go,
}) => {
  const unfinished = ['running', 'pending', 'skipped', 'waiting_on_dependencies'] as const
  for (const status of unfinished) {
    withBuild(host, data.oneStage({ status: status === 'skipped' ? 'success' : status }, { status }, 'running'))
    await go('/octocat/hello/42')
    await expect(page.getByText('1 stage', { exact: true })).toBeVisible()
    await page.waitForLoadState('load')
    await host.reader('/api/stream')
    expect(
      host.calls.filter((call) => call.path.includes('/logs/')),
      status,
    ).toEqual([])
    // The page of a running build may read it again, but must not see the next one.
    await page.goto('about:blank')
  }
  withBuild(host, data.oneStage({ status: 'success' }, {}, 'success'))
  await go('/octocat/hello/42')
  await expect(page.getByText('line 3')).toBeVisible()
  expect(host.made(`GET ${log}`)).toHaveLength(1)
})

const footers: [string, Build, string][] = [
  ['[S8.footer.2]', data.oneStage({ status: 'failure' }, { status: 'failure', exit_code: 3 }), 'Exit Code 3'],
  ['[S8.footer.3]', data.detail(), 'Exit Code 0'],
  [
    '[S8.footer.4]',
    data.oneStage({ status: 'running' }, { status: 'running', stopped: undefined }, 'running'),
    'Step is running...',
  ],
  [
    '[S8.footer.6]',
    data.oneStage({ status: 'killed' }, { status: 'killed', exit_code: 130 }, 'killed'),
    'Step is killed (canceled)',
  ],
  ['[S8.footer.1]', data.oneStage({ status: 'failure' }, { status: 'error', error: 'out of disk' }), 'out of disk'],
  [
    '[S8.footer.5]',
    data.oneStage({ status: 'running' }, { status: 'pending', started: undefined, stopped: undefined }, 'running'),
    'Step is pending',
  ],
  ['[S8.footer.7]', data.oneStage({ status: 'failure' }, { status: 'skipped' }), 'Loading...'],
]
test('[S2.build.28] [S8.footer.1] [S8.footer.2] [S8.footer.3] [S8.footer.4] [S8.footer.5] [S8.footer.6] [S8.footer.7] the footer follows the step @system', async ({
  page,
  host,
  go,
}) => {
  const footer = page.getByRole('region', { name: 'Console' }).locator('footer')
  for (const [id, build, text] of footers) {
    withBuild(host, build)
    await go('/octocat/hello/42')
    await expect(footer.getByText(text, { exact: true }), id).toBeVisible()
  }
})

test('[S8.footer.7] until the build has loaded the footer says Loading...', async ({ page, host, go }) => {
  withBuild(host)
  const { opened, open } = latch()
  host.on(`GET ${base}/42`, async () => {
    await opened
    return ok(data.detail())
  })
  await go('/octocat/hello/42')
  const footer = page.getByRole('region', { name: 'Console' }).locator('footer')
  await expect(footer).toHaveText('Loading...')
  open()
  await expect(footer).toContainText('Exit Code 0')
})

test('[S2.build.4] a message instead of a log has the color of the step @system', async ({ page, host, go }) => {
  const colours: string[] = []
  for (const status of ['success', 'failure', 'killed', 'skipped', 'pending'] as const) {
    withBuild(host, data.oneStage({ status: 'success' }, { status }))
    host.on(`GET ${log}`, ok([]))
    await go('/octocat/hello/42')
    const message = page.getByRole('log').getByText(`unit - test: ${status}`, { exact: true })
    await expect(message).toBeVisible()
    colours.push(await styleOf(message, 'color'))
  }
  const [success, failure, killed, skipped, pending] = colours
  expect(new Set([success, failure, skipped]).size).toBe(3)
  expect(killed).toBe(failure)
  expect(pending).toBe(skipped)
})
