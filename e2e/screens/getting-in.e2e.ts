import { data, expect, fail, ok, signedInAs, signedOut, test, withBuild, withRepo } from '../support/screens.ts'

test('[S2.routes.16] [S6.roles.1] a signed-out visitor is led to the welcome page', async ({ page, host, go }) => {
  signedOut(host)
  for (const path of ['/', '/account', '/settings/users', '/octocat/hello', '/octocat/hello/42/1/1', '/builds-feed']) {
    await go(path)
    await expect(page).toHaveURL(/\/welcome$/)
  }
})

test('[S2.routes.2] [S7.calls.32] Continue is a plain link to /login', async ({ page, host, go }) => {
  signedOut(host)
  await go('/welcome')
  await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', /\/login$/)
})

test('[S2.sidebar.5] [S6.roles.2] the sidebar offers to sign in, and no search', async ({ page, host, go }) => {
  signedOut(host)
  await go('/welcome')
  await expect(page.getByRole('link', { name: 'Click to sign in or sign up.' })).toHaveAttribute('href', '/welcome')
  await expect(page.getByRole('button', { name: 'Search' })).toHaveCount(0)
})

test('[S2.routes.3] [S7.calls.31] the form posts username and password to /login', async ({ page, host, go }) => {
  signedOut(host)
  host.on('POST /login', { status: 200, text: 'posted' })
  await go('/login/form')
  await page.getByLabel('Username').fill('octocat')
  await page.getByLabel('Password').fill('se cret&=')
  await page.getByRole('button', { name: /sign in|login|log in/i }).click()
  await expect.poll(() => host.made('POST /login').length).toBe(1)
  const call = host.made('POST /login')[0]
  expect(call?.headers['content-type']).toContain('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({ username: 'octocat', password: 'se cret&=' })
})

test('[S2.routes.4] [S8.pages.4] the login error page says the message, or the default', async ({ page, host, go }) => {
  signedOut(host)
  await go('/login/error?message=Unauthorized%20person')
  await expect(page.getByText('Unauthorized person')).toBeVisible()
  await go('/login/error')
  await expect(page.getByText('An error occured during login attempt, please, try again')).toBeVisible()
})

test('[S2.routes.5] the logout page says that the session ended', async ({ page, host, go }) => {
  signedOut(host)
  await go('/logout')
  await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
})

test('a visitor who signs in comes back to where they wanted to go', async ({ page, host, go }) => {
  signedOut(host)
  withBuild(host)
  await go('/octocat/hello/42/1/1')
  await expect(page).toHaveURL(/\/welcome$/)
  host.on('GET /api/user', ok(data.user()))
  await go('/')
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/1\/1$/)
})

test('[F.errors.1] a server error is not taken for signed out', async ({ page, host, go }) => {
  host.on('GET /api/user', fail(500, 'database is locked'))
  await go('/')
  await expect(page.getByText('database is locked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible()
  await expect(page).not.toHaveURL(/welcome/)
})

test('[S2.sidebar.1] [S2.sidebar.2] [S2.sidebar.4] signed in: logo, Search, avatar; no settings', async ({
  page,
  go,
}) => {
  await go('/')
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await expect(page.locator('a[href="/"]').first()).toBeVisible()
  await expect(page.locator('a[href="/account"]').first()).toBeVisible()
  await expect(page.locator('a[href="/settings"]')).toHaveCount(0)
})

test('[S2.sidebar.3] [S6.roles.6] [S2.routes.7] administrators have settings', async ({ page, host, go }) => {
  signedInAs(host, { admin: true }).on('GET /api/users', ok([data.user({ admin: true })]))
  await go('/')
  await page.locator('a[href="/settings"]').first().click()
  await expect(page).toHaveURL(/\/settings\/users$/)
})

test('[S2.routes.17] others see the not-found page there', async ({ page, go }) => {
  await go('/settings/users')
  await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
})

test('[S2.routes.15] [S2.other.1] any other path is not found, with Sign In', async ({ page, go }) => {
  for (const path of ['/nowhere', '/404', '/a/b/c/d/e/f', '/octocat/hello/settings/nothing']) {
    await go(path)
    await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/welcome')
  }
})

test('[S2.other.8] every page has a title that ends with the product', async ({ page, host, go }) => {
  withBuild(host)
  for (const path of [
    '/',
    '/account',
    '/octocat/hello',
    '/octocat/hello/branches',
    '/octocat/hello/settings',
    '/octocat/hello/42',
  ]) {
    await go(path)
    await expect(page).toHaveTitle(/\S.*Flightdeck$/)
  }
})

test('[S6.roles.7] a repository that cannot be found or read shows not found', async ({ page, host, go }) => {
  for (const [status, message] of [
    [404, 'Not Found'],
    [401, 'Unauthorized'],
  ] as const) {
    withRepo(host)
    host.on('GET /api/repos/octocat/hello', fail(status, message))
    await go('/octocat/hello')
    await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  }
})
