/** Runners, the queue and waiting reasons in every state (Flightdeck only). */
import type { QueueItem, Runners, RunnerState } from '@flightdeck/api'
import {
  data,
  expect,
  fail,
  fitsWidth,
  notFound,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  toastShows,
} from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const { queueItem, runner, runners } = data
const own = (host: Host) => signedInAs(host, { admin: true, ...ours })
const serve = (host: Host, over: Partial<Runners> = {}) => own(host).on('GET /api/runners', ok(runners(over)))
const waiting = { reason: 'place', text: 'Queued: 1st of 2 (2 of 2 runner slots busy)' } as const

test('runners: names, types, running stages; and the queue', async ({ page, host, go }) => {
  const item: QueueItem = queueItem({ status: 'running', machine: 'far' })
  const far: RunnerState = runner({
    machines: ['far', 'farther'],
    address: '192.0.2.7',
    filter: { type: 'docker', os: 'linux', arch: 'arm64', labels: { zone: 'a' } },
    busy: 1,
    runs: [item],
  })
  const removedRunner = runner({ address: '192.0.2.8', present: false, asked: data.now - 600 })
  const builtin = runner({ builtin: true, version: '1.2.3', places: 2 })
  serve(host, {
    runners: [builtin, far, removedRunner],
    queue: [item, queueItem({ stage_id: 2, waiting })],
    total: 300,
  })
  await go('/settings/users')
  await page.getByRole('link', { name: 'Runners' }).click()
  await expect(page).toHaveTitle(/Runners/)
  const rows = page.getByRole('region', { name: 'Runners' }).locator('ul > li:has(dl)')
  await expect(rows.nth(0)).toContainText('Built-in runner')
  await expect(rows.nth(0)).toContainText('version 1.2.3')
  for (const word of ['also', 'offline', 'type docker']) await expect(rows.nth(0)).not.toContainText(word)
  await expect(rows.nth(2)).not.toContainText('also')
  await expect(rows.nth(1)).toContainText(/far.*192\.0\.2\.7 · also farther · unknown version/)
  for (const word of ['type docker', 'linux/arm64', 'zone=a', '1 of 2 busy'])
    await expect(rows.nth(1)).toContainText(word)
  await expect(rows.nth(1).getByRole('link')).toHaveAttribute('href', '/octocat/hello/42/1')
  await expect(rows.nth(2)).toContainText('offline')
  const queue = page.getByRole('region', { name: 'Queue' })
  await expect(queue.getByRole('link').nth(0)).toContainText('Running on far')
  await expect(queue.getByRole('link').nth(1)).toContainText(waiting.text)
  await expect(queue).toContainText('The first 2 of 300.')
  await page.setViewportSize({ width: 390, height: 800 })
  await fitsWidth(page)
})

test('runners: loading, empty, refused and retried', async ({ page, host, go }) => {
  own(host).on('GET /api/runners', fail(500, 'database is locked'))
  await go('/settings/runners')
  await expect(page.getByRole('main')).toContainText('database is locked')
  // Nothing is loading any more, the button that pauses the queue included.
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
  serve(host)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No runner has connected since the server started.')).toBeVisible()
  await expect(page.getByText('Running and queued stages appear here.')).toBeVisible()
})

test('the queue is paused and resumed with the keyboard; an error is shown @system', async ({ page, host, go }) => {
  let paused = false
  own(host)
    .on('GET /api/runners', () => ok(runners({ paused })))
    .on('DELETE /api/queue', () => {
      paused = true
      return { status: 204 }
    })
    .on('POST /api/queue', fail(500, 'database is locked'))
  await go('/settings/runners')
  await page.getByRole('button', { name: 'Pause queue' }).press('Enter')
  const resume = page.getByRole('button', { name: 'Resume queue' })
  await expect(resume).toBeFocused()
  await expect(page.getByRole('main').getByRole('status')).toContainText('The queue is paused')
  await resume.press('Enter')
  await toastShows(page, 'Unable to resume the queue: database is locked')
})

test('only administrators of a Flightdeck server see the page @system', async ({ page, host, go }) => {
  serve(host)
  signedInAs(host, { admin: false, ...ours })
  await go('/settings/runners')
  await expect(page.getByText(notFound)).toBeVisible()
  signedInAs(host, { admin: true })
  await go('/settings/runners')
  await page.reload()
  await expect(page.getByText(notFound)).toBeVisible()
  expect(host.made('GET /api/runners')).toHaveLength(0)
  host.on('GET /api/users', ok([data.user({ admin: true })]))
  await go('/settings/users')
  await expect(page.getByRole('button', { name: 'New user' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Runners' })).toHaveCount(0)
})

const build = data.withoutRunner()
const { text: reason = '' } = build.waiting ?? {}

test('the runners’ secret is requested when a user reveals it, and is then in the command @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, build)
  serve(host, { rpc: { proto: 'https', host: 'ci.example.com', secret: true } })
  host.on('GET /api/runners/secret', ok({ secret: "it's secret" }))
  await go('/octocat/hello/43')
  const help = page.getByRole('region', { name: 'Add a runner' })
  await expect(help).toContainText('--env DRONE_RPC_SECRET=SECRET')
  expect(host.made('GET /api/runners/secret')).toHaveLength(0)
  await help.getByRole('button', { name: 'Show secret' }).click()
  await expect(help).toContainText(`--env DRONE_RPC_SECRET='it'\\''s secret'`)
  await help.getByRole('button', { name: 'Hide secret' }).click()
  await expect(help).not.toContainText('s secret')
})

test('others see the reason, and no actions that they cannot use @system', async ({ page, host, go }) => {
  withBuild(host, build)
  signedInAs(host, { admin: false, ...ours })
  await go('/octocat/hello/43')
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText(reason)
  await expect(page.getByRole('region', { name: 'Add a runner' })).toHaveCount(0)
  expect(host.made('GET /api/runners')).toHaveLength(0)
})

test('the build’s page lists what an exec pipeline ignores @system', async ({ page, host, go }) => {
  const ignored = ['services', 'privileged of test']
  withBuild(host, data.detail({ stages: [data.stage({ type: 'exec', ignored })] }))
  await go('/octocat/hello/42')
  await expect(page.getByRole('region', { name: 'Ignored settings' })).toContainText(
    'unit is an exec pipeline; these settings are ignored: services, privileged of test',
  )
})

test('a pipeline type without a known runner shows no command @system', async ({ page, host, go }) => {
  const text = 'No runner accepts kind “Pipeline”; use “kind: pipeline”'
  const waiting = { reason: 'runner', text, needs: { kind: 'Pipeline', type: 'docker' } } as const
  withBuild(host, { ...build, waiting, stages: build.stages?.map((stage) => ({ ...stage, waiting })) ?? [] })
  serve(host, { rpc: { proto: 'https', host: 'ci.example.com', secret: true } })
  await go('/octocat/hello/43')
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText(text)
  await expect(page.getByText(/: pending$/)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('region', { name: 'Add a runner' })).toHaveCount(0)
  expect(host.made('GET /api/runners')).toHaveLength(0)
})
