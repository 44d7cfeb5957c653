/** Every route by link, reload and Back; accessibility of every screen in light and dark. */
import { AxeBuilder } from '@axe-core/playwright'
import { data, expect, ok, signedInAs, test, withBuild } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const screens = [
  '/',
  '/account',
  '/builds-feed',
  '/settings/users',
  '/octocat/hello',
  '/octocat/hello/branches',
  '/octocat/hello/deployments',
  '/octocat/hello/settings',
  '/octocat/hello/settings/secrets',
  '/octocat/hello/settings/cron',
  '/octocat/hello/settings/badges',
  '/octocat/hello/42/1/1',
  '/welcome',
  '/login/form',
  '/login/error',
  '/logout',
  '/nowhere/at/all/ever/x',
]

function full(host: Host): void {
  withBuild(
    host,
    data.detail({
      status: 'failure',
      stages: [data.stage({ status: 'failure', steps: [data.step({ status: 'failure', exit_code: 1 })] })],
    }),
  )
  signedInAs(host, { admin: true })
  const base = '/api/repos/octocat/hello'
  host
    .on('GET /api/users', ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann' })]))
    .on('GET /api/user/repos', ok([{ ...data.repo(), build: data.build() }]))
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
    .on(`GET ${base}/builds/branches`, ok([data.build()]))
    .on(`GET ${base}/builds/deployments`, ok([data.build({ event: 'promote', deploy_to: 'staging' })]))
    .on(`GET ${base}/secrets`, ok([data.secret()]))
    .on(`GET ${base}/cron`, ok([data.cron()]))
}

for (const scheme of ['light', 'dark'] as const)
  for (const path of screens)
    test(`${path} has no serious accessibility finding (${scheme})`, async ({ page, host, go }) => {
      full(host)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await go(path)
      await expect(page.getByRole('main')).toBeVisible()
      await page.waitForLoadState('networkidle')
      const { violations } = await new AxeBuilder({ page }).analyze()
      const bad = violations.filter((found) => found.impact === 'serious' || found.impact === 'critical')
      expect(
        bad.map((found) => `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`),
      ).toEqual([])
    })

test('every screen survives reload and Back', async ({ page, host, go }) => {
  full(host)
  for (const path of screens.filter((screen) => !screen.startsWith('/log') && screen !== '/welcome')) {
    await go(path)
    const heading = await page.getByRole('main').getByRole('heading').first().textContent()
    await page.reload()
    await expect(page.getByRole('main').getByRole('heading').first()).toHaveText(heading ?? '')
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

test('a branch such as 1.10 stays so in the address', async ({ page, host, go }) => {
  full(host)
  await go('/octocat/hello?branch=1.10')
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
  expect(new URL(page.url()).search).toBe('?branch=1.10')
})
