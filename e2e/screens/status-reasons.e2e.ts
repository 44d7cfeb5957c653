/**
 * Everything that waits, is skipped or has ended early shows the reason, in each state and on each
 * screen.
 */
import type { Build, Ended, Stage, Waiting } from '@flightdeck/api'
import { data, expect, graphView, ok, signedInAs, test, withBuild } from '../support/screens.ts'

const waiting = (reason: Waiting['reason'], text: string): Waiting => ({ reason, text })
const ended = (reason: Ended['reason'], text: string, by?: string): Ended => ({
  reason,
  text,
  ...(by && { by, at: data.now - 200 }),
})
const overrides = { started: data.now - 300, finished: data.now - 200 }

/** The reason, and the name of the status beside it. */
const states: Record<string, { build: Partial<Build>; stage: Partial<Stage>; words: string | RegExp; status: string }> =
  {
    'waits for approval': {
      build: { status: 'pending', started: 0, finished: 0 },
      stage: { status: 'blocked', waiting: waiting('approval', 'Waiting for approval (needs write access)') },
      words: 'Waiting for approval (needs write access)',
      status: 'blocked',
    },
    'waits for a slot': {
      build: { status: 'pending', started: 0, finished: 0 },
      stage: { status: 'pending', waiting: waiting('place', 'Queued: 3rd of 5 (2 of 2 runner slots busy)') },
      words: 'Queued: 3rd of 5 (2 of 2 runner slots busy)',
      status: 'pending',
    },
    'was canceled': {
      build: { status: 'killed', ...overrides, canceled: data.now - 200, canceled_by: 'wes' },
      stage: { status: 'skipped', ended: ended('canceled', 'Canceled by wes', 'wes') },
      words: /Canceled by wes \d+ minutes ago/,
      status: 'killed',
    },
    'was declined': {
      build: { status: 'declined', ...overrides },
      stage: { status: 'declined', ended: ended('declined', 'Declined by wes', 'wes') },
      words: /Declined by wes \d+ minutes ago/,
      status: 'declined',
    },
    'was superseded': {
      build: { status: 'skipped', ...overrides },
      stage: { status: 'skipped', ended: ended('superseded', 'Canceled: superseded by a newer build') },
      words: 'Canceled: superseded by a newer build',
      status: 'skipped',
    },
    'ended with the server': {
      build: { status: 'error', error: 'the server was restarted', ...overrides },
      stage: {
        status: 'error',
        error: 'the server was restarted',
        ended: ended('restarted', 'Interrupted: the server was restarted'),
      },
      words: 'Interrupted: the server was restarted',
      status: 'error',
    },
  }

for (const [name, { build: own, stage, words, status }] of Object.entries(states))
  test(`a build or stage that ${name} shows the reason on every screen @system`, async ({ page, host, go }) => {
    const reason = {
      ...(stage.waiting && { waiting: stage.waiting }),
      ...(stage.ended && { ended: stage.ended }),
    }
    const build = data.build({ ...own, ...reason })
    withBuild(host, { ...build, stages: [data.stage({ ...stage, started: 0, stopped: 0, steps: [] })] })
    const repo = { ...data.repo(), build }
    const base = '/api/repos/octocat/hello/builds'
    host
      .on(`GET ${base}`, ok([build]))
      .on(`GET ${base}/branches`, ok([build]))
      .on(`GET ${base}/deployments`, ok([{ ...build, event: 'promote', deploy_to: 'production' }]))
      .on('GET /api/user/repos', ok([repo]))
      .on('GET /api/user/builds/recent', ok([repo]))
    const main = page.getByRole('main')

    await test.step('rows', async () => {
      for (const path of ['', '/branches', '/deployments']) {
        await go(`/octocat/hello${path}`)
        const row = main.getByRole('link', { name: /Fix the parser/ }).filter({ hasText: words })
        await expect(row, path).toBeVisible()
        await expect(row.getByRole('img', { name: status, exact: true }), path).toBeVisible()
      }
    })
    await test.step('feed, dashboard, cards and search', async () => {
      await go('/builds-feed')
      await expect(main.getByRole('link', { name: words })).toBeVisible()
      await go('/')
      await expect(main.getByRole('region', { name: 'Recent Activity' })).toContainText(words)
      await expect(main.getByRole('region', { name: 'Repositories' })).toContainText(words)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('textbox', { name: 'Search' }).fill('hello')
      await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('link')).toContainText(words)
    })
    await test.step('the build', async () => {
      await go('/octocat/hello/42')
      const banner = page.getByRole('status', { name: 'Build status' })
      await expect(banner).toContainText(status)
      await expect(banner).toContainText(words)
      // The specification's texts stay; the reason is shown once, where users look first.
      await expect(page.getByRole('navigation', { name: 'Pipeline stages' })).toContainText('1 stage')
      const console = page.getByRole('region', { name: 'Console' })
      await expect(console).toContainText('Loading...')
      await expect(main.getByText(words)).toHaveCount(1)
    })
    await test.step('the build on a phone, where the console covers its head', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await go('/octocat/hello/42')
      await page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link').first().click()
      await expect(page.getByRole('dialog').getByRole('region', { name: 'Console' })).toContainText(words)
    })
  })

test('steps show why they wait, were skipped or ended, in the navigation, the console and the drawer @system', async ({
  page,
  host,
  go,
}) => {
  const text = 'Skipped: needs lint, which failed'
  const steps = [
    data.step({ name: 'lint', status: 'failure', exit_code: 1 }),
    data.step({ number: 2, name: 'pack', status: 'skipped', ended: ended('needs', text) }),
  ]
  const limit = ended('timeout', 'Stopped: timed out')
  const slow = data.step({ id: 201, name: 'slow', status: 'killed', ended: limit })
  const after = data.step({
    id: 202,
    number: 2,
    name: 'after',
    status: 'pending',
    started: 0,
    stopped: 0,
    waiting: waiting('dependency', 'Waiting for slow'),
  })
  withBuild(
    host,
    data.detail({
      status: 'running',
      finished: 0,
      stages: [
        data.stage({ status: 'failure', steps }),
        data.stage({ id: 2, number: 2, name: 'beta', status: 'running', stopped: 0, steps: [slow, after] }),
      ],
    }),
  )
  const nav = page.getByRole('navigation', { name: 'Pipeline stages' })
  await go('/octocat/hello/42')
  await expect(nav.getByText(text)).toBeVisible()
  await go('/octocat/hello/42/2/2')
  await expect(nav.getByText('Waiting for slow')).toBeVisible()
  await expect(nav.getByText('Stopped: timed out')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Console' }).getByText('Waiting for slow')).toBeVisible()
  await graphView(page).click()
  await page.getByRole('link', { name: /after/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Step info' })
  await expect(drawer).toContainText('Step data is unavailable')
  await expect(drawer).toContainText('Waiting for slow')
})

test('a declined build waits for no approval, even if stages are still blocked @system', async ({ page, host, go }) => {
  const word = waiting('approval', 'Waiting for approval (needs write access)')
  const blocked: Partial<Stage> = { status: 'blocked', started: 0, stopped: 0, steps: [], waiting: word }
  const build = data.detail({
    status: 'declined',
    ...overrides,
    waiting: word,
    stages: [
      data.stage({ status: 'declined', started: 0, stopped: 0, steps: [] }),
      data.stage({ id: 2, number: 2, name: 'deploy', ...blocked }),
    ],
  })
  withBuild(host, build)
  host.on('GET /api/repos/octocat/hello/builds', ok([build]))
  for (const path of ['', '/42', '/42/2', '/42/2?view=graph']) {
    await go(`/octocat/hello${path}`)
    await expect(page.getByRole('main').getByText('Fix the parser').first()).toBeVisible()
    await expect(page.getByText(/Waiting for approval/), path).toHaveCount(0)
  }
})

test('a failed step in a successful stage says that its failure is ignored', async ({ page, host, go }) => {
  const steps = [
    data.step({ name: 'flaky', status: 'failure', exit_code: 3, errignore: true }),
    data.step({ id: 202, number: 2, name: 'unit' }),
  ]
  withBuild(host, data.detail({ status: 'success', stages: [data.stage({ steps })] }))
  await go('/octocat/hello/42')
  const nav = page.getByRole('navigation', { name: 'Pipeline stages' })
  await expect(nav.getByRole('link', { name: /flaky/ })).toContainText('Failed (ignored)')
  await expect(nav.getByRole('link', { name: /unit/ })).not.toContainText('ignored')
})

test('a stage names the steps that its conditions exclude', async ({ page, host, go }) => {
  const left = [{ name: 'ship', text: 'branch is not main' }]
  withBuild(host, data.detail({ stages: [data.stage({ left_out: left })] }))
  await go('/octocat/hello/42')
  const nav = page.getByRole('navigation', { name: 'Pipeline stages' })
  await expect(nav.getByText('Not run: ship – branch is not main')).toBeVisible()
})

test('an administrator sees how to start the missing runner, of any type', async ({ page, host, go }) => {
  const needs = { type: 'ssh', os: 'linux', arch: 'amd64' }
  const text = 'Waiting for a runner of type ssh for linux/amd64; none is connected'
  const pending = { status: 'pending', started: 0, waiting: { reason: 'runner', text, needs } } as const
  withBuild(host, data.detail({ ...pending, finished: 0, stages: [data.stage({ ...pending, stopped: 0, steps: [] })] }))
  signedInAs(host, { admin: true }).on('GET /api/runners', ok(data.runners()))
  await go('/octocat/hello/42')
  const help = page.getByRole('region', { name: 'Add a runner' })
  await expect(help).toContainText('drone/drone-runner-ssh')
  await expect(help).toContainText('docs/guide/ssh.md')
  await expect(help).not.toContainText('--docker')
})
