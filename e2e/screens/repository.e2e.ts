import { data, expect, fail, ok, test, withRepo } from '../support/screens.ts'

const list = (count: number, first = 100, over = {}) =>
  Array.from({ length: count }, (_, index) =>
    data.build({ id: first - index, number: first - index, message: `Change ${first - index}`, ...over }),
  )
const path = '/api/repos/octocat/hello'

test('[S2.routes.10] [S2.builds.1] [S9.constants.6] summary of the repository', async ({ page, host, go }) => {
  const durations = [600, 240, 60]
  withRepo(
    host,
    { counter: 1234 },
    durations.map((seconds, index) =>
      data.build({
        id: 9 - index,
        number: 9 - index,
        started: data.now - 7200,
        finished: data.now - 7200 + seconds,
        status: index === 0 ? 'failure' : 'success',
        created: data.now - 7200,
      }),
    ),
  )
  await go('/octocat/hello')
  const main = page.getByRole('main')
  for (const label of ['Total Builds', 'Median Build', 'Last Build', 'Last Status'])
    await expect(main.getByText(label)).toBeVisible()
  await expect(main).toContainText(/1.?234/)
  for (const tab of ['Builds', 'Branches', 'Deployments', 'Settings'])
    await expect(page.getByRole('link', { name: tab }).first()).toBeVisible()
})

test('[S2.builds.2] [S2.builds.3] [S9.constants.2] bars lead to their builds', async ({ page, host, go }) => {
  withRepo(host, {}, list(50))
  host.on(`GET ${path}/builds/100`, ok(data.detail({ number: 100 })))
  await go('/octocat/hello')
  const bars = page.getByRole('main').getByRole('link', { name: /^#\d+/ })
  await expect(bars.first()).toBeVisible()
  const chart = page.getByRole('region', { name: /last builds/i })
  expect((await chart.boundingBox())?.height).toBeGreaterThanOrEqual(170)
})

test('[S2.builds.4] [S2.builds.5] [S9.constants.1] [S7.calls.13] fifty builds, then the next page', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, (call) => ok(call.query.includes('page=2') ? list(3, 50) : list(50)))
  await go('/octocat/hello')
  await expect(page.getByText('Change 100')).toBeVisible()
  expect(new URLSearchParams(host.made(`GET ${path}/builds`)[0]?.query).get('per_page')).toBe('50')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByText('Change 48')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('[S2.builds.6] no builds yet', async ({ page, host, go }) => {
  withRepo(host, {}, [])
  await go('/octocat/hello')
  await expect(page.getByText('Your Build List is Empty.')).toBeVisible()
})

test('[S2.builds.7] [S2.branches.1] [S2.routes.19] inactive repositories lead to settings', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { active: false })
  for (const tail of ['', '/branches', '/deployments']) {
    await go(`/octocat/hello${tail}`)
    await expect(page).toHaveURL(/\/octocat\/hello\/settings$/)
  }
  await expect(page.getByText('This Repository is not Active.')).toBeVisible()
})

test('[S2.builds.8] builds that are not found lead to /404', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, fail(404, 'Not Found'))
  await go('/octocat/hello')
  await expect(page).toHaveURL(/\/404$/)
})

test('[S2.branches.2] [S2.branches.3] [S9.constants.9] [S2.routes.11] [S7.calls.16] branches', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds/branches`, ok([data.build({ number: 7, target: 'feature/x y%z', status: 'failure' })]))
  await go('/octocat/hello/branches')
  const row = page.getByRole('main').locator('a[href="/octocat/hello/7"]')
  await expect(row.first()).toBeVisible()
  const main = page.getByRole('main')
  for (const text of [
    'Branch',
    'Commit',
    'Committer',
    'Message',
    'feature/x y%z',
    '7fd1a60b',
    'octocat',
    'Fix the parser',
  ])
    await expect(main).toContainText(text)
  await expect(main).not.toContainText('7fd1a60b0')
  await expect(page.getByRole('img', { name: 'failure' }).first()).toBeVisible()
})

test('[S2.branches.4] no branches', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/branches')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  await expect(
    page.getByText('This list will be populated when you execute a pipeline for an open branch.'),
  ).toBeVisible()
})

test('[S2.deployments.1] [S2.deployments.2] [S2.routes.12] [S7.calls.17] deployments', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/deployments')
  await expect(page.getByText('Your Deployment List is Empty.')).toBeVisible()
  host.on(`GET ${path}/builds/deployments`, ok([data.build({ event: 'promote', deploy_to: 'staging' })]))
  await go('/octocat/hello/deployments')
  for (const text of ['Environment', 'Commit', 'Committer', 'Message', 'staging', '7fd1a60b'])
    await expect(page.getByRole('main')).toContainText(text)
})

test('[S2.inactive.2] [S4.states.26] [S7.calls.10] [S8.success.1] an administrator activates', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { active: false })
  host.on(`POST ${path}`, () => {
    withRepo(host)
    return ok(data.repo({ permissions: undefined }))
  })
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await expect(page.getByText('Repo has been successfully enabled')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Settings' }).first()).toBeVisible()
})

test('[S2.inactive.1] [S2.inactive.3] others are told whom to ask; a refusal is shown raw', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { active: false, permissions: { read: true, write: true, admin: false } })
  await go('/octocat/hello/settings')
  await expect(page.getByText('Please contact the repository administrator to activate this repository.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Activate Repository' })).toHaveCount(0)
})

test('[S8.toasts.16] a failed activation shows the raw message', async ({ page, host, go }) => {
  withRepo(host, { active: false })
  host.on(`POST ${path}`, fail(500, 'disk quota'))
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await expect(page.getByText('disk quota', { exact: true })).toBeVisible()
})

test('[S2.routes.18] [S6.roles.4] readers have no New Build and no Settings tab', async ({ page, host, go }) => {
  withRepo(host, { permissions: { read: true, write: false, admin: false } })
  await go('/octocat/hello')
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Build' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0)
})

test('[S2.dialogs.1] [S5.validation.2] [S5.validation.3] [S5.validation.4] [S7.calls.14] a new build', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`POST ${path}/builds`, ok(data.build({ number: 43 })))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await expect(dialog.getByLabel('Branch')).toHaveValue('')
  await dialog.getByLabel('Branch').fill('  feature/a b ')
  const add = dialog.getByRole('button', { name: /^add/i })
  await dialog.getByLabel('Key').fill(' NAME ')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Value').fill(' two words ')
  await add.click()
  await expect(dialog.getByLabel('Key')).toHaveValue('')
  await dialog.getByLabel('Key').fill('LATE')
  await dialog.getByLabel('Value').fill('yes')
  await dialog.getByRole('button', { name: /create/i }).click()
  await expect(page.getByText('New build has started successfully')).toBeVisible()
  expect(Object.fromEntries(new URLSearchParams(host.made(`POST ${path}/builds`)[0]?.query))).toEqual({
    branch: 'feature/a b',
    NAME: 'two words',
    LATE: 'yes',
  })
})

test('[S8.toasts.8] a refused build keeps the form', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`POST ${path}/builds`, fail(404, 'no such branch'))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await dialog.getByLabel('Branch').fill('nowhere')
  await dialog.getByRole('button', { name: /create/i }).click()
  await expect(page.getByText('Unable to start a new build: no such branch').first()).toBeVisible()
  await expect(dialog.getByLabel('Branch')).toHaveValue('nowhere')
  expect(host.made(`POST ${path}/builds`)[0]?.query).toBe('?branch=nowhere')
})
