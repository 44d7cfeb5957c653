/** Signing in and out, access to pages, and returning to the requested page. */
import { data, latch, expect, fail, notFound, ok, signedOut, test, withBuild, withRepo } from '../support/screens.ts'
import { full } from '../support/tour.ts'

test('[S2.routes.16] [S6.roles.1] a signed-out visitor sees welcome, login and logout only @system', async ({
  page,
  host,
  go,
}) => {
  signedOut(withBuildOf(host))
  for (const path of [
    '/',
    '/account',
    '/settings/users',
    '/octocat/hello',
    '/octocat/hello/settings/badges',
    '/octocat/hello/42/1/1',
    '/builds-feed',
    '/no/such/page/at/all',
  ]) {
    await go(path)
    await expect(page).toHaveURL(/\/welcome$/)
  }
  for (const path of ['/welcome', '/login/form', '/login/error', '/logout']) {
    await go(path)
    await expect(page.getByRole('main').getByRole('heading')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

/** A public repository changes nothing for signed-out visitors (readings, "Getting in"). */
function withBuildOf(host: Parameters<typeof withBuild>[0]) {
  withBuild(host, data.detail(), { visibility: 'public' })
  return host
}

test('[S2.routes.2] [S7.calls.32] Continue and Logout are plain links that the server answers', async ({
  page,
  host,
  go,
}) => {
  host
    .on('GET /login', { status: 200, text: 'the source-control system' })
    .on('GET /logout', { status: 200, text: 'the session is over' })
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
  // Signed-in people can open this page as well: the Not Found page links to it (readings).
  await go('/welcome')
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByText('the source-control system')).toBeVisible()
  await go('/account')
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByText('the session is over')).toBeVisible()
  expect(host.made('GET /logout')).toHaveLength(1)
})

test('[S2.routes.3] [S7.calls.31] the form posts username and password to /login, and names no product but ours [F.login.1]', async ({
  page,
  host,
  go,
}) => {
  signedOut(host)
  host.on('POST /login', { status: 200, text: 'posted' })
  await go('/login/form')
  const words = await page.locator('body').innerText()
  expect(words).not.toMatch(/gogs|gitea/i)
  expect(words).not.toMatch(/[\u4e00-\u9fff]/)
  await page.getByLabel('Username').fill('octocat')
  await page.getByLabel('Password').fill('se cret&=')
  await page.keyboard.press('Enter')
  // Chromium may never close a window whose form is still being sent, so the test waits for the
  // response.
  await expect(page.getByText('posted')).toBeVisible()
  expect(host.made('POST /login')).toHaveLength(1)
  const call = host.made('POST /login')[0]
  expect(call?.headers['content-type']).toContain('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({ username: 'octocat', password: 'se cret&=' })
})

test('[S2.routes.4] [S8.pages.4] the login error page says the message, or the default', async ({ page, host, go }) => {
  signedOut(host)
  await go('/login/error?message=Unauthorized%20person')
  await expect(page.getByText('Unauthorized person')).toBeVisible()
  await expect(page.getByText('An error occured during login attempt')).toHaveCount(0)
  for (const query of ['', '?message=']) {
    await go(`/login/error${query}`)
    await expect(page.getByText('An error occured during login attempt, please, try again')).toBeVisible()
  }
})

test('[S2.routes.5] the logout page says that the session ended', async ({ page, host, go }) => {
  signedOut(host)
  await go('/logout')
  await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
})

test('after sign-in, visitors return once to the page that they requested [F.errors.2]', async ({ page, host, go }) => {
  signedOut(withBuildOf(host))
  await go('/octocat/hello/42/1/1?x=1.10#L2')
  await expect(page).toHaveURL(/\/welcome$/)
  host.on('GET /api/user', ok(data.user()))
  await go('/')
  await expect(page).toHaveURL(`${host.origin}/octocat/hello/42/1/1?x=1.10#L2`)
  await expect(page.getByText('Pipeline stages')).toBeVisible()
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(`${host.origin}/`)
})

test('an expired session opens the sign-in page, and signing in returns to the same page', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello/branches')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  signedOut(host)
  host.on('GET /api/repos/octocat/hello/secrets', fail(401, 'Unauthorized'))
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Secrets' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  host.on('GET /api/user', ok(data.user())).on('GET /api/repos/octocat/hello/secrets', ok([data.secret()]))
  await go('/')
  await expect(page).toHaveURL(/\/octocat\/hello\/settings\/secrets$/)
  await expect(page.getByText('password', { exact: true })).toBeVisible()
})

test('[F.errors.1] a server error does not count as signed out', async ({ page, host, go }) => {
  full(host).on('GET /api/user', fail(500, 'database is locked'))
  await go('/')
  await expect(page.getByText('database is locked')).toBeVisible()
  await expect(page).not.toHaveURL(/welcome/)
  host.on('GET /api/user', ok(data.user()))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Recent Activity')).toBeVisible()
})

test('[S2.routes.17] people who are not administrators see the not-found page there @system', async ({
  page,
  host,
  go,
}) => {
  for (const path of ['/settings', '/settings/users']) {
    await go(path)
    await expect(page.getByText(notFound)).toBeVisible()
  }
  expect(host.made('GET /api/users')).toHaveLength(0)
})

test('[S2.routes.15] [S2.other.1] any other path is not found, with Sign In to /welcome, in the frame [F.notfound.1] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  for (const path of [
    '/nowhere',
    '/404',
    '/a/b/c/d/e/f',
    '/octocat/hello/settings/nothing',
    '/octocat/hello/forty-two',
    '/octocat/hello/42/0',
    '/octocat/hello/77',
  ]) {
    await go(path)
    await expect(page.getByText(notFound)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/welcome')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByRole('link', { name: 'Continue' })).toBeVisible()
})

test('[S6.roles.7] a repository that cannot be found or read shows not found, not a sign-in page @system', async ({
  page,
  host,
  go,
}) => {
  for (const [status, message] of [
    [404, 'Not Found'],
    [401, 'Unauthorized'],
  ] as const) {
    withBuild(host)
    host.on('GET /api/repos/octocat/hello', fail(status, message))
    for (const tail of ['', '/branches', '/settings/cron', '/42']) {
      await go(`/octocat/hello${tail}`)
      await expect(page.getByText(notFound)).toBeVisible()
    }
  }
  await expect(page).toHaveURL(/\/octocat\/hello\/42$/)
})

test('the first request is for the signed-in user, once; something is rendered before the response [F.start.1]', async ({
  page,
  host,
  go,
}) => {
  full(host)
  const latched = latch()
  host.on('GET /api/user', async () => {
    await latched.opened
    return ok(data.user())
  })
  await go('/')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect.poll(() => host.made('GET /api/user/repos').length).toBe(1)
  latched.open()
  await expect(page.getByText('Recent Activity')).toBeVisible()
  await page.waitForLoadState('load')
  expect(host.made('GET /api/user')).toHaveLength(1)
  expect(host.made('GET /api/user/repos')).toHaveLength(1)
})
