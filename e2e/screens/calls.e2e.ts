/**
 * The calls of specification §7: what is sent, with which credentials, and how responses are
 * interpreted.
 */
import {
  data,
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

test('[S7.calls.1] [S7.calls.4] [S7.calls.6] [S7.calls.9] [S7.calls.13] [S7.calls.15] [S7.calls.22] reads go out once, with the cookie, to the page’s own origin', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.addCookies([{ name: '_session_', value: 'abc', url: host.origin }])
  withBuild(host)
  await go('/')
  await expect(page.getByText('octocat/hello').first()).toBeVisible()
  await page.getByRole('main').locator('a[href="/octocat/hello"]').last().click()
  await page
    .getByRole('link', { name: /Fix the parser/ })
    .first()
    .click()
  await expect(page.getByText('line 3')).toBeVisible()
  const api = host.calls.filter((call) => call.path.startsWith('/api/') && call.path !== '/api/stream')
  expect(api.map((call) => `${call.method} ${call.path}${call.query}`).toSorted()).toEqual([
    `GET ${repo}`,
    `GET ${repo}/builds/42`,
    `GET ${repo}/builds/42/logs/1/1`,
    `GET ${repo}/builds?page=1&per_page=50`,
    'GET /api/user',
    'GET /api/user/repos?latest=true',
  ])
  for (const call of host.calls.filter((call) => call.path.startsWith('/api/'))) {
    expect(call.headers.cookie, call.path).toContain('_session_=abc')
    expect(call.headers.authorization, call.path).toBeUndefined()
  }
})

test('[S8.1] the message is the body’s, else the raw text, else the network’s message; never `undefined` @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const branches = `GET ${repo}/builds/branches`
  const alert = page.getByRole('alert')
  for (const [answer, words] of [
    [{ status: 500, json: { message: 'what the server says' } }, 'what the server says'],
    [{ status: 502, text: 'raw words of a proxy' }, 'raw words of a proxy'],
    [{ status: 500, json: { error: 'x' } }, '{"error":"x"}'],
    [{ status: 503, text: '' }, '503'],
  ] as const) {
    host.on(branches, answer)
    await go('/octocat/hello/branches')
    await expect(alert).toContainText(words)
    await expect(alert).not.toContainText('undefined')
  }
  await page.route('**/builds/branches', (route) => route.abort('connectionrefused'))
  await go('/octocat/hello/branches')
  await expect(alert).toContainText(/fetch|network/i)
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
})

test('[S7.calls.37] responses of any shape are accepted: none, null and an empty object @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  signedInAs(host, { admin: true })
  const shapes = [{ status: 204 }, ok(null), ok({})]
  let at = 0
  const any = () => shapes[at++ % shapes.length] ?? { status: 204 }
  for (const key of [
    `PATCH ${repo}`,
    `POST ${repo}/cron`,
    `POST ${repo}/secrets`,
    'POST /api/users',
    'PATCH /api/users/ann',
  ])
    host.on(key, any)
  for (const key of [`DELETE ${repo}/cron/nightly`, `DELETE ${repo}/secrets/password`, 'DELETE /api/users/ann'])
    host.on(key, any)
  host
    .on(`GET ${repo}/cron`, ok([data.cron()]))
    .on(`GET ${repo}/secrets`, ok([data.secret()]))
    .on('GET /api/users', ok([data.user({ id: 2, login: 'ann' })]))
    .on(`GET ${repo}/builds/deployments`, ok(null))
    .on(`GET ${repo}/builds/branches`, ok(null))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))

  await go('/octocat/hello/deployments')
  await expect(page.getByText('Your Deployment List is Empty.')).toBeVisible()
  await go('/octocat/hello/branches')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  for (let round = 0; round < 3; round++) {
    await go('/octocat/hello/settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await toastShows(page, 'Changes have been saved')
    await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
  }
  await go('/octocat/hello/settings/secrets')
  await page.getByLabel('Name').fill('one')
  await page.getByLabel('Value').fill('two')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await toastShows(page, 'Secret has been added successfully')
  await page.getByRole('button', { name: 'Delete secret password' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'Secret has been removed successfully')
  await go('/octocat/hello/settings/cron')
  await page.getByLabel('Name').fill('one')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await toastShows(page, 'Cron has been added successfully')
  await page.getByRole('button', { name: 'Delete cron job nightly' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^(delete|remove)/i })
    .click()
  await toastShows(page, 'Cron has been removed successfully')
  await go('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Login').fill('bob')
  await page.getByLabel('Email').fill('bob@example.com')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await toastShows(page, 'New user has been created successfully')
  await page.getByRole('button', { name: 'Edit user ann' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'User settings have been updated')
  await page.getByRole('button', { name: 'Delete user ann' }).click()
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'User has been deleted successfully')

  const blocked = data.blocked()
  withBuild(host, blocked)
  host.on(`POST ${repo}/builds/42/approve/1`, ok(null)).on(`POST ${repo}/builds/42/decline/1`, ok({}))
  await go('/octocat/hello/42')
  for (const [button, call] of [
    ['Approve Build', 'approve'],
    ['Decline Build', 'decline'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => host.made(`POST ${repo}/builds/42/${call}/1`).length).toBe(1)
    await expect(page.getByRole('button', { name: button })).not.toHaveAttribute('aria-busy', 'true')
  }
  await expect(page.getByText('undefined')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('[S6.roles.8] a refusal of the server is shown as a message and breaks nothing else [F.events.3] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { permissions: { read: true, write: false, admin: false } })
  for (const path of ['', '/secrets', '/cron', '/badges']) {
    await go(`/octocat/hello/settings${path}`)
    await expect(page.getByText('You need write permission on octocat/hello.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  }
  expect(host.calls.filter((call) => /secrets|cron/.test(call.path))).toEqual([])
  withRepo(host)
  host.on(`GET ${repo}/secrets`, fail(403, 'Forbidden')).on(`PATCH ${repo}`, fail(403, 'Forbidden'))
  await go('/octocat/hello/settings/secrets')
  await expect(page.getByRole('alert')).toContainText('Forbidden')
  await page.getByRole('link', { name: 'General' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Unable to save changes: Forbidden').first()).toBeVisible()
})
