/**
 * A protected build of several stages: the first approval starts it, and the others can still be
 * approved.
 */
import { data, expect, ok, test, withBuild } from '../support/screens.ts'

test('a stage that still waits in a running build has a separate approval', async ({ page, host, go }) => {
  const waiting = { status: 'blocked', started: 0, stopped: 0 } as const
  const build = data.detail({
    status: 'running',
    finished: 0,
    stages: [data.stage({ status: 'success' }), data.stage({ id: 2, number: 2, name: 'lint', steps: [], ...waiting })],
  })
  withBuild(host, build)
  host.on('POST /api/repos/octocat/hello/builds/42/approve/2', ok(null))
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Approve|Decline)/ })).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Pipeline stages' }).getByText('lint').click()
  await expect(page.getByRole('region', { name: 'Waiting for approval' })).toContainText('lint')
  await expect(page.getByRole('button', { name: 'Decline Stage' })).toBeVisible()
  await page.getByRole('button', { name: 'Approve Stage' }).click()
  await expect.poll(() => host.calls.map((call) => call.path)).toContain('/api/repos/octocat/hello/builds/42/approve/2')
})
