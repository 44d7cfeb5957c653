import type { Retention } from '@flightdeck/api'
import { data, expect, fail, ok, ours, signedInAs, test, withRepo, toastShows } from '../support/screens.ts'

const path = '/api/repos/octocat/hello/retention'
const retention = (over: Partial<Retention> = {}): Retention => ({
  own: { build_days: -1, builds: -1, log_days: -1, log_mb: -1 },
  defaults: { build_days: 0, builds: 0, log_days: 0, log_mb: 1_000 },
  next: data.now + 9_000,
  planned: { old_builds: 0, surplus_builds: 0, old_logs: 0 },
  last: { at: data.now - 7_200, builds: 4, logs: 9, bytes: 1_200_000, error: '' },
  ...over,
})

test('the settings say what retention removes, and a refused change stays in the form', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true, ...ours })
  host.on(`GET ${path}`, ok(retention())).on(`PATCH ${path}`, fail(500, 'the disk is full'))
  await go('/octocat/hello/settings')
  const section = page.getByRole('region', { name: 'Retention' })
  await expect(section.getByText('If the logs take more than 1 GB tonight, the oldest will be removed.')).toBeVisible()
  await expect(section.getByText('4 builds and 9 logs were removed, 1.2 MB of logs freed.')).toBeVisible()
  await section.getByLabel('Keep builds for').selectOption('90 days')
  await section.getByRole('button', { name: 'Update retention' }).click()
  await toastShows(page, 'Unable to update retention: the disk is full')
  await expect(section.getByLabel('Keep builds for')).toHaveValue('90')
  const own = { ...retention().own, build_days: 90 }
  host.on(`PATCH ${path}`, ok(retention({ own, planned: { old_builds: 12, surplus_builds: 0, old_logs: 0 } })))
  await section.getByRole('button', { name: 'Update retention' }).click()
  await expect(section.getByText('12 builds older than 90 days will be removed tonight.')).toBeVisible()
  expect(host.made(`PATCH ${path}`).map(({ body }) => body)).toEqual(['{"build_days":90}', '{"build_days":90}'])
})

test('changes made while the form is saving stay in the form @system', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true, ...ours })
  let save = (): void => undefined
  const saved = new Promise<void>((resolve) => (save = resolve))
  host.on(`GET ${path}`, ok(retention())).on(`PATCH ${path}`, async () => {
    await saved
    return ok(retention({ own: { ...retention().own, build_days: 90 } }))
  })
  await go('/octocat/hello/settings')
  const section = page.getByRole('region', { name: 'Retention' })
  await section.getByLabel('Keep builds for').selectOption('90 days')
  await section.getByRole('button', { name: 'Update retention' }).click()
  await expect.poll(() => host.made(`PATCH ${path}`).length).toBe(1)
  await section.getByLabel('Keep logs for').selectOption('30 days')
  save()
  await toastShows(page, 'Retention has been updated')
  await expect(section.getByLabel('Keep logs for')).toHaveValue('30')
  await expect(section.getByLabel('Keep builds for')).toHaveValue('90')
})

test('another server has no retention @system', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true })
  await go('/octocat/hello/settings')
  await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Retention' })).toHaveCount(0)
})
