/** User management, for administrators (specification §2, §5). */
import { data, expect, ok, ours, openDialog, signedInAs, test, toastShows } from '../support/screens.ts'

test('[S2.users.1] [S2.users.2] [S3.entities.2] [S5.validation.4] [S5.validation.5] [S7.calls.27] [S7.calls.28] [S8.success.1] the list, and a new user [F.users.1] [F.users.2]', async ({
  page,
  host,
  go,
}) => {
  const users = [
    data.user({ id: 4, login: 'zoe', email: 'zoe@example.com', active: false, machine: true, avatar: '/favicon.svg' }),
    data.user({ admin: true }),
    data.user({ id: 2, login: 'Ann', last_login: 0, email: 'ann@example.com' }),
  ]
  signedInAs(host, { admin: true }).on('GET /api/users', ok(users))
  host.on('POST /api/users', (call) => ok({ ...data.user({ id: 3 }), ...JSON.parse(call.body), token: 'tok3n of bob' }))
  await go('/settings/users')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('Ann')
  await expect(rows.nth(0)).toContainText('ann@example.com')
  await expect(rows.nth(0)).toContainText('never')
  await expect(rows.nth(1)).toContainText('octocat')
  await expect(rows.nth(1)).toContainText('admin')
  await expect(rows.nth(1)).not.toContainText('never')
  for (const words of ['zoe', 'inactive', 'machine']) await expect(rows.nth(2)).toContainText(words)
  await expect(rows.nth(2).locator('img')).toHaveAttribute('src', '/favicon.svg')

  await page.getByRole('button', { name: 'New user' }).click()
  const form = page.getByRole('dialog', { name: 'New user' })
  await expect(form.getByLabel('Email')).toHaveAttribute('type', 'email')
  const create = form.getByRole('button', { name: 'Create' })
  await create.click()
  await expect(form.getByText('Login is required')).toBeVisible()
  await expect(form.getByText('Email is required')).toBeVisible()
  await form.getByLabel('Login').fill('   ')
  await form.getByLabel('Email').fill('bob@example.com')
  await create.click()
  await expect(form.getByText('Login is required')).toBeVisible()
  expect(host.made('POST /api/users')).toHaveLength(0)
  await form.getByLabel('Login').fill(' bob ')
  await form.getByLabel('Machine User').check()
  await create.click()
  await toastShows(page, 'New user has been created successfully')
  expect(JSON.parse(host.made('POST /api/users')[0]?.body ?? '')).toEqual({
    login: 'bob',
    email: 'bob@example.com',
    admin: false,
    machine: true,
  })
  await expect(page.getByRole('dialog')).toContainText('tok3n of bob')
})

test('[S2.users.1] [S2.users.3] [S2.users.4] [S2.dialogs.3] [S5.validation.11] [S5.validation.12] [S5.validation.15] [S7.calls.29] [S7.calls.30] [S8.success.1] editing and deleting, except oneself', async ({
  page,
  host,
  go,
}) => {
  signedInAs(host, { admin: true }).on(
    'GET /api/users',
    ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann', machine: true })]),
  )
  host
    .on('PATCH /api/users/ann', ok(data.user({ id: 2, login: 'ann', admin: true })))
    .on('DELETE /api/users/ann', { status: 204 })
  await go('/settings/users')
  const own = page.getByRole('button', { name: 'Edit user octocat' })
  await expect(own).toBeDisabled()
  await own.click({ force: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Delete user/ })).toHaveCount(2)
  await page.getByRole('button', { name: 'Edit user ann' }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Machine User')).toBeDisabled()
  await expect(form.getByLabel('Machine User')).toBeChecked()
  await form.getByLabel('Admin').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'User settings have been updated')
  expect(JSON.parse(host.made('PATCH /api/users/ann')[0]?.body ?? '')).toEqual({ admin: true })
  await page.getByRole('button', { name: 'Delete user ann' }).click()
  await expect(openDialog(page).getByText('Are you sure you want to delete this user?', { exact: true })).toBeVisible()
  expect(host.made('DELETE /api/users/ann')).toHaveLength(0)
  host.on('GET /api/users', ok([data.user({ admin: true })]))
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'User has been deleted successfully')
  await expect(page.getByRole('button', { name: 'Edit user ann' })).toHaveCount(0)
})

test('[S9.constants.5] the first thousand users, then the rest @system', async ({ page, host, go }) => {
  const users = Array.from({ length: 1003 }, (_, index) =>
    data.user({ id: index + 2, login: `user-${String(index).padStart(4, '0')}` }),
  )
  signedInAs(host, { admin: true }).on('GET /api/users', ok(users))
  await go('/settings/users')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(1000)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(1003)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('people without a password are invited, and no others', async ({ page, host, go }) => {
  const users = [
    data.user({ admin: true, has_password: true }),
    data.user({ id: 2, login: 'gone', active: false, has_password: false }),
    data.user({ id: 3, login: 'new', has_password: false }),
    data.user({ id: 4, login: 'old', has_password: true }),
    data.user({ id: 5, login: 'robot', machine: true, has_password: false }),
  ]
  signedInAs(host, { admin: true, ...ours }).on('GET /api/users', ok(users))
  await go('/settings/users')
  const isRow = page.getByRole('button', { name: /^Edit user/ })
  const rows = page.getByRole('main').getByRole('listitem').filter({ has: isRow })
  await expect(rows).toHaveCount(users.length)
  await expect(rows.filter({ hasText: 'invited' })).toHaveText([/new/])
  await expect(rows.filter({ hasText: 'inactive' })).toHaveText([/gone/])
  const resets = page.getByRole('button', { name: /^Reset password of/ })
  await expect(resets).toHaveCount(2)
  for (const login of ['new', 'old'])
    await expect(page.getByRole('button', { name: `Reset password of ${login}` })).toBeVisible()
})

test('a person is invited with repositories and a role in the same dialog @system', async ({ page, host, go }) => {
  signedInAs(host, { admin: true, ...ours })
    .on('GET /api/users', ok([data.user({ admin: true })]))
    .on('POST /api/users', ok(data.user({ id: 4, login: 'bob' })))
  const sent = () => JSON.parse(host.made('POST /api/users').at(-1)?.body ?? '{}') as unknown
  const base = { login: 'bob', email: 'bob@example.com', admin: false, machine: false }
  await go('/settings/users')
  for (const [choice, access] of [
    ['No repositories', {}],
    ['All repositories', { repositories: '*', role: 'read' }],
    ['Selected repositories…', { repositories: 'acme/web acme/api', role: 'read' }],
  ] as const) {
    await page.getByRole('button', { name: 'New user' }).click()
    const form = page.getByRole('dialog', { name: 'New user' })
    await form.getByLabel('Login').fill('bob')
    await form.getByLabel('Email').fill('bob@example.com')
    await form.getByLabel('Repositories').selectOption(choice)
    if (choice !== 'No repositories') await form.getByLabel('Role').selectOption('read')
    if ('repositories' in access && access.repositories !== '*') {
      const calls = host.made('POST /api/users').length
      await form.getByLabel('Names').fill('acme/web acme')
      await form.getByRole('button', { name: 'Create' }).click()
      await expect(form.getByText('acme is not in the form namespace/name')).toBeVisible()
      expect(host.made('POST /api/users')).toHaveLength(calls)
      await form.getByLabel('Names').fill('acme/web, acme/api\n')
    }
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(form).toHaveCount(0)
    expect(sent()).toEqual({ ...base, ...access })
  }
})
