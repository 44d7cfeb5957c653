/** Refusals of the server are shown with the specification's texts (§8), and typed text stays. */
import {
  choose,
  data,
  latch,
  expect,
  fail,
  ok,
  openDialog,
  signedInAs,
  test,
  withBuild,
  withRepo,
  toastShows,
} from '../support/screens.ts'

const repo = '/api/repos/octocat/hello'
const build = `${repo}/builds/42`
test('[S8.toasts.1] [S8.toasts.2] [S8.toasts.4] [S8.toasts.5] a finished build: restart, debug, promote and rollback are refused @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host
    .on(`POST ${build}`, (call) => fail(500, call.query ? 'no debugger' : 'no runner'))
    .on(`POST ${build}/promote`, fail(400, 'no such target'))
    .on(`POST ${build}/rollback`, ok(null))
  await go('/octocat/hello/42')
  await choose(page, 'Restart')
  await toastShows(page, 'Unable to restart build: no runner')
  await choose(page, 'Debug')
  await toastShows(page, 'Unable to restart in debug mode: no debugger')
  await choose(page, 'Promote')
  const dialog = page.getByRole('dialog', { name: 'Create deployment' })
  await dialog.getByLabel('Target').fill('moon')
  await dialog.getByLabel('Key').fill('A')
  await dialog.getByLabel('Value').fill('b')
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await toastShows(page, 'Unable to create new deploy: no such target')
  await expect(dialog.getByText('no such target')).toBeVisible()
  await expect(dialog.getByLabel('Target')).toHaveValue('moon')
  await expect(dialog.getByLabel('Key')).toHaveValue('A')
  await dialog.getByLabel('Type').selectOption('Rollback')
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await toastShows(page, 'Unable to create new deploy in this repo')
  await expect(page).toHaveURL(/\/octocat\/hello\/42$/)
})

test('[S8.1] [S8.toasts.4] a refusal without JSON is shown as raw text, one without a body with the network’s message @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  await go('/octocat/hello/42')
  for (const [status, text, words] of [
    [502, 'raw words of a proxy', 'raw words of a proxy'],
    [503, '', 'Request failed with status code 503'],
  ] as const) {
    host.on(`POST ${build}`, { status, text })
    await choose(page, 'Restart')
    await toastShows(page, `Unable to restart build: ${words}`)
  }
})

test('[S8.toasts.3] a cancel is refused @system', async ({ page, host, go }) => {
  withBuild(host, data.detail({ status: 'pending', started: 0, finished: 0 }))
  host.on(`DELETE ${build}`, fail(500, 'too late'))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toastShows(page, 'Unable to cancel build: too late')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
})

test('[S8.toasts.6] [S8.toasts.7] approve and decline are refused @system', async ({ page, host, go }) => {
  withBuild(host, data.detail({ status: 'pending', stages: [data.stage({ status: 'blocked', steps: [] })] }))
  host.on(`POST ${build}/approve/1`, fail(403, 'not you')).on(`POST ${build}/decline/1`, fail(500, 'too late'))
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Approve Build' }).click()
  await toastShows(page, 'Unable to approve build: not you')
  await page.getByRole('button', { name: 'Decline Build' }).click()
  await toastShows(page, 'Unable to decline build: too late')
})

test('[S8.toasts.8] a new build is refused: the dialog stays, with the message and the typed text [F.newbuild.2] [F.errors.6] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const refused = latch()
  host.on(`POST ${repo}/builds`, async () => {
    await refused.opened
    return fail(404, 'no such branch')
  })
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await dialog.getByLabel('Branch').fill('nowhere')
  await dialog.getByLabel('Key').fill('A')
  await dialog.getByLabel('Value').fill('b c')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-busy', 'true')
  await expect(dialog).toBeVisible()
  refused.open()
  await toastShows(page, 'Unable to start a new build: no such branch')
  await expect(dialog.getByText('no such branch')).toBeVisible()
  await expect(dialog.getByLabel('Branch')).toHaveValue('nowhere')
  await expect(dialog.getByText('A=b c')).toBeVisible()
  host.on(`POST ${repo}/builds`, ok(null))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText(/^Unable to start a new build: the pipeline has nothing to run/)).toBeVisible()
  await expect(dialog).toBeVisible()
})

test('a form with an unreachable server says so and what to do, instead of a refusal @system', async ({
  page,
  context,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await dialog.getByLabel('Branch').fill('feature')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toContainText('The server could not be reached. Check your connection, then try again')
  await expect(dialog).not.toContainText('refused')
  await expect(dialog.getByLabel('Branch')).toHaveValue('feature')
})

test('settings that cannot be saved keep the changes, and say what to do @system', async ({
  page,
  context,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello/settings')
  const path = page.getByLabel('Configuration')
  await path.fill('ci/drone.yml')
  await context.setOffline(true)
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  const errorText = page.getByText('The server could not be reached. Check your connection, then save again')
  await expect(errorText).toBeVisible()
  await expect(path).toHaveValue('ci/drone.yml')
  host.on('PATCH /api/repos/octocat/hello', ok(data.repo({ config_path: 'ci/drone.yml' })))
  await context.setOffline(false)
  await save.click()
  await toastShows(page, 'Changes have been saved')
  await expect(errorText).toHaveCount(0)
})

test('[S8.toasts.9] [S8.toasts.10] saving and disabling are refused: typed text stays, Enter reloads nothing [F.general.3]', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`PATCH ${repo}`, fail(500, 'Optimistic Lock Error')).on(`DELETE ${repo}`, fail(500, 'hook is gone'))
  await go('/octocat/hello/settings')
  await page.getByLabel('Configuration').fill('other.yml')
  await page.keyboard.press('Enter')
  await toastShows(page, 'Unable to save changes: Optimistic Lock Error')
  await expect(page.getByLabel('Configuration')).toHaveValue('other.yml')
  await page.getByRole('button', { name: 'Disable' }).click()
  await openDialog(page).getByRole('button', { name: 'Disable' }).click()
  await toastShows(page, 'Unable to disable repo: hook is gone')
  await expect(page.getByLabel('Configuration')).toHaveValue('other.yml')
  expect(page.url()).toBe(`${host.origin}/octocat/hello/settings`)
})

test('[S8.toasts.11] [S8.toasts.12] secrets are refused; no typed text gets into the URL [F.secrets.1] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host
    .on(`GET ${repo}/secrets`, ok([data.secret()]))
    .on(`POST ${repo}/secrets`, fail(500, 'UNIQUE constraint failed'))
    .on(`DELETE ${repo}/secrets/password`, fail(500, 'it is in use'))
  await go('/octocat/hello/settings/secrets')
  await page.getByLabel('Value').fill('hush')
  await page.getByLabel('Name').fill('twice')
  await page.keyboard.press('Enter')
  await toastShows(page, 'Unable to add secret: UNIQUE constraint failed')
  await expect(page.getByLabel('Name')).toHaveValue('twice')
  await expect(page.getByLabel('Value')).toHaveValue('hush')
  expect(page.url()).toBe(`${host.origin}/octocat/hello/settings/secrets`)
  await page.getByRole('button', { name: 'Delete secret password' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'Unable to remove secret: it is in use')
  await expect(page.getByText('password', { exact: true })).toBeVisible()
})

test('[S8.toasts.16] cron jobs and activation show the raw message @system', async ({ page, host, go }) => {
  withRepo(host)
  host
    .on(`GET ${repo}/cron`, ok([data.cron()]))
    .on(`POST ${repo}/cron`, fail(400, 'Invalid Cronjob Expression'))
    .on(`DELETE ${repo}/cron/nightly`, fail(500, 'it runs'))
    .on(`POST ${repo}`, fail(500, 'disk quota'))
  await go('/octocat/hello/settings/cron')
  await page.getByLabel('Name').fill('weekly')
  await page.getByLabel('Branch').fill('stable')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await toastShows(page, 'Invalid Cronjob Expression')
  await expect(page.getByLabel('Name')).toHaveValue('weekly')
  await expect(page.getByLabel('Branch')).toHaveValue('stable')
  await page.getByRole('button', { name: 'Delete cron job nightly' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^(delete|remove)/i })
    .click()
  await toastShows(page, 'it runs')
  host.on(`GET ${repo}`, ok(data.repo({ active: false })))
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await toastShows(page, 'disk quota')
})

test('[S8.toasts.13] [S8.toasts.14] users are refused: the forms stay open with the typed text @system', async ({
  page,
  host,
  go,
}) => {
  signedInAs(host, { admin: true })
    .on('GET /api/users', ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann' })]))
    .on('POST /api/users', fail(400, 'login is taken'))
    .on('PATCH /api/users/ann', fail(500, 'not now'))
    .on('DELETE /api/users/ann', fail(500, 'owns repositories'))
  await go('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Login').fill('bob')
  await dialog.getByLabel('Email').fill('bob@example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await toastShows(page, 'Unable to create new user: login is taken')
  await expect(dialog.getByLabel('Login')).toHaveValue('bob')
  await expect(dialog.getByText('login is taken')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit user ann' }).click()
  await dialog.getByLabel('Admin').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'Unable to create new user: not now')
  await expect(dialog.getByLabel('Admin')).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete user ann' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'Unable to delete user: owns repositories')
  await expect(page.getByRole('button', { name: 'Edit user ann' })).toBeVisible()
})

test('an entry removed in another tab disappears from the list when the server reports it as missing @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const secrets = '/api/repos/octocat/hello/secrets'
  host.on(`GET ${secrets}`, ok([data.secret({ name: 'first' }), data.secret({ id: 2, name: 'second' })]))
  await go('/octocat/hello/settings/secrets')
  const list = page.getByRole('main').getByRole('listitem')
  await expect(list.filter({ hasText: 'first' })).toBeVisible()
  host.on(`GET ${secrets}`, ok([data.secret({ id: 2, name: 'second' })]))
  host.on(`DELETE ${secrets}/first`, fail(404, 'sql: no rows in result set'))
  await list.filter({ hasText: 'first' }).getByRole('button', { name: 'Delete secret first' }).click()
  await openDialog(page).getByRole('button', { name: 'Delete' }).click()
  await toastShows(page, 'Unable to remove secret: sql: no rows in result set')
  await expect(list.filter({ hasText: 'first' })).toHaveCount(0)
  await expect(list.filter({ hasText: 'second' })).toBeVisible()
})
