import { data, expect, fail, ok, signedInAs, test, withRepo } from '../support/screens.ts'

const path = '/api/repos/octocat/hello'

test('[S2.settings.1] [S2.settings.3] [S5.validation.10] [S7.calls.11] [S9.constants.21] [S9.constants.22] [S9.constants.23] saving sends all seven fields', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { protected: true, trusted: false })
  host.on(`PATCH ${path}`, ok(data.repo()))
  await go('/octocat/hello/settings')
  await page.getByRole('switch', { name: /ignore pull requests/i }).click()
  await page
    .getByRole('radio', { name: /internal/i })
    .or(page.getByRole('option', { name: /internal/i }))
    .first()
    .evaluate((element) => {
      if (element instanceof HTMLOptionElement) {
        element.selected = true
        element.parentElement?.dispatchEvent(new Event('change', { bubbles: true }))
      } else if (element instanceof HTMLElement) element.click()
    })
  const timeout = page.getByLabel(/timeout/i)
  expect(await timeout.locator('option').allTextContents()).toEqual([
    '15 minutes',
    '30 minutes',
    '60 minutes',
    '90 minutes',
    '2 hours',
    '3 hours',
    '4 hours',
    '5 hours',
    '6 hours',
    '7 hours',
    '8 hours',
    '9 hours',
    '10 hours',
    '11 hours',
    '12 hours',
    '18 hours',
    '24 hours',
    '48 hours',
    '72 hours',
  ])
  await timeout.selectOption({ label: '2 hours' })
  await page.getByLabel(/configuration/i).fill('ci/drone.yml')
  await page.getByRole('button', { name: /save/i }).click()
  await expect(page.getByText('Changes have been saved')).toBeVisible()
  expect(JSON.parse(host.made(`PATCH ${path}`)[0]?.body ?? '')).toEqual({
    ignore_pull_requests: true,
    ignore_forks: false,
    protected: true,
    trusted: false,
    visibility: 'internal',
    timeout: 120,
    config_path: 'ci/drone.yml',
  })
})

test('[S2.settings.2] [S6.roles.6] protected and trusted only for administrators', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/settings')
  await expect(page.getByRole('switch', { name: /ignore forks/i })).toBeVisible()
  await expect(page.getByRole('switch', { name: /protected/i })).toHaveCount(0)
  signedInAs(host, { admin: true })
  await go('/octocat/hello/settings')
  await expect(page.getByRole('switch', { name: /protected/i })).toBeVisible()
  await expect(page.getByRole('switch', { name: /trusted/i })).toBeVisible()
})

test('[S8.toasts.10] a refused save keeps what was typed', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`PATCH ${path}`, fail(500, 'Optimistic Lock Error'))
  await go('/octocat/hello/settings')
  await page.getByLabel(/configuration/i).fill('other.yml')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Unable to save changes: Optimistic Lock Error').first()).toBeVisible()
  await expect(page.getByLabel(/configuration/i)).toHaveValue('other.yml')
})

test('[S2.settings.4] [S4.states.27] [S5.validation.16] [S7.calls.12] disabling asks first', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`DELETE ${path}`, () => {
    withRepo(host, { active: false })
    return ok(data.repo({ active: false }))
  })
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: /disable/i }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await expect(dialog).toContainText('Are you sure you want to disable this repo?')
  expect(host.made(`DELETE ${path}`)).toHaveLength(0)
  await dialog.getByRole('button', { name: /disable/i }).click()
  await expect(page.getByText('Repo has been disabled')).toBeVisible()
})

test('[S2.settings.5] [S2.routes.13] [S5.validation.14] [S7.calls.25] [S7.calls.26] secrets', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`POST ${path}/secrets`, () => {
    host.on(`GET ${path}/secrets`, ok([data.secret({ name: 'api.key' })]))
    return ok(data.secret({ name: 'api.key' }))
  })
  host.on(`DELETE ${path}/secrets/api.key`, { status: 204 })
  await go('/octocat/hello/settings/secrets')
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
  await page.getByLabel('Name').fill('api.key')
  await page.getByLabel('Value').fill('s3cret value')
  await page.getByRole('switch', { name: /pull request/i }).click()
  await page
    .getByRole('button', { name: /add|create/i })
    .last()
    .click()
  await expect(page.getByText('Secret has been added successfully')).toBeVisible()
  expect(JSON.parse(host.made(`POST ${path}/secrets`)[0]?.body ?? '')).toEqual({
    name: 'api.key',
    data: 's3cret value',
    pull_request: true,
  })
  await page
    .getByRole('button', { name: /delete/i })
    .first()
    .click()
  await expect(page.getByText('Are you sure you want to delete this secret?')).toBeVisible()
  host.on(`GET ${path}/secrets`, ok([]))
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /delete/i })
    .click()
  await expect(page.getByText('Secret has been removed successfully')).toBeVisible()
})

test('[S8.toasts.11] a refused secret keeps the form', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`POST ${path}/secrets`, fail(500, 'UNIQUE constraint failed'))
  await go('/octocat/hello/settings/secrets')
  await page.getByLabel('Name').fill('twice')
  await page.getByLabel('Value').fill('x')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /add|create/i })
    .last()
    .click()
  await expect(page.getByText('Unable to add secret: UNIQUE constraint failed').first()).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('twice')
  expect(page.url()).not.toContain('?')
})

test('[S2.settings.6] [S5.validation.7] [S5.validation.13] [S7.calls.23] [S7.calls.24] [S9.constants.18] [S9.constants.19] cron jobs', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`POST ${path}/cron`, () => {
    host.on(`GET ${path}/cron`, ok([data.cron()]))
    return ok(data.cron())
  })
  host.on(`DELETE ${path}/cron/nightly`, { status: 204 })
  await go('/octocat/hello/settings/cron')
  await page.getByLabel('Name').fill(' nightly ')
  const schedule = page.getByLabel(/schedule/i)
  await expect(schedule).toHaveValue('@hourly')
  expect((await schedule.locator('option').allTextContents()).slice(0, 5)).toEqual([
    '@hourly',
    '@daily',
    '@weekly',
    '@monthly',
    '@yearly',
  ])
  await schedule.selectOption('@daily')
  await page
    .getByRole('button', { name: /add|create/i })
    .last()
    .click()
  await expect(page.getByText('Cron has been added successfully')).toBeVisible()
  expect(JSON.parse(host.made(`POST ${path}/cron`)[0]?.body ?? '')).toEqual({
    name: 'nightly',
    branch: 'master',
    expr: '@daily',
  })
  await page
    .getByRole('button', { name: /delete|remove/i })
    .first()
    .click()
  await expect(page.getByText('Are you sure you want to remove cron job?')).toBeVisible()
  host.on(`GET ${path}/cron`, ok([]))
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /delete|remove/i })
    .click()
  await expect(page.getByText('Cron has been removed successfully')).toBeVisible()
})

test('[S2.settings.7] [S2.settings.8] [S7.calls.35] [S9.constants.24] badges', async ({ page, host, go, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  withRepo(host)
  await go('/octocat/hello/settings/badges')
  const badge = page.locator('img[src*="/api/badges/octocat/hello/status.svg"]')
  await expect(badge).toHaveAttribute('src', `${host.origin}/api/badges/octocat/hello/status.svg`)
  for (const name of ['Markdown', 'Markup', 'CCMenu']) await expect(page.getByRole('main')).toContainText(name)
  await expect(page.getByRole('main')).toContainText('/api/badges/octocat/hello/cc.xml')
  await page.getByLabel(/branch/i).fill('feature/a')
  await expect(badge).toHaveAttribute('src', /\?ref=refs\/heads\/feature\/a$/)
  await page.getByRole('button', { name: /copy/i }).first().click()
  await expect(page.getByText('Copied!')).toBeVisible()
})

test('[S2.users.1] [S2.users.2] [S7.calls.27] [S7.calls.28] [S5.validation.5] creating a user', async ({
  page,
  host,
  go,
}) => {
  signedInAs(host, { admin: true }).on(
    'GET /api/users',
    ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann', last_login: 0 })]),
  )
  host.on('POST /api/users', ok(data.user({ id: 3, login: 'bob' })))
  await go('/settings/users')
  await expect(page.getByText('ann', { exact: true }).first()).toBeVisible()
  await page
    .getByRole('button', { name: /new user|create user|add user/i })
    .first()
    .click()
  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Email')).toHaveAttribute('type', 'email')
  await form.getByLabel('Login').fill(' bob ')
  await form.getByLabel('Email').fill('bob@example.com')
  await form.getByRole('button', { name: /create|save|add/i }).click()
  await expect(page.getByText('New user has been created successfully')).toBeVisible()
  expect(JSON.parse(host.made('POST /api/users')[0]?.body ?? '')).toEqual({
    login: 'bob',
    email: 'bob@example.com',
    admin: false,
    machine: false,
  })
})

test('[S2.users.3] [S2.users.4] [S5.validation.11] [S5.validation.15] [S7.calls.29] [S7.calls.30] editing and deleting', async ({
  page,
  host,
  go,
}) => {
  signedInAs(host, { admin: true }).on(
    'GET /api/users',
    ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann' })]),
  )
  host
    .on('PATCH /api/users/ann', ok(data.user({ id: 2, login: 'ann', admin: true })))
    .on('DELETE /api/users/ann', { status: 204 })
  await go('/settings/users')
  await expect(page.getByText('ann', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit user octocat' })).toBeDisabled()
  await page.getByRole('button', { name: 'Edit user ann' }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByLabel(/machine/i)).toBeDisabled()
  await form.getByLabel(/admin/i).click()
  await form.getByRole('button', { name: /save|update/i }).click()
  await expect(page.getByText('User settings have been updated')).toBeVisible()
  expect(JSON.parse(host.made('PATCH /api/users/ann')[0]?.body ?? '')).toEqual({ admin: true })
  await page.getByRole('button', { name: 'Delete user ann' }).click()
  await expect(page.getByText('Are you sure you want to delete this user?')).toBeVisible()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /delete/i })
    .click()
  await expect(page.getByText('User has been deleted successfully')).toBeVisible()
})
