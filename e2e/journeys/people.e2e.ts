/**
 * Two people with different rights, in two browsers: an invitation, access to a repository, a
 * reset.
 */
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { admin } from '../support/server.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { toastShows, watchToasts } from '../support/toasts.ts'

test.setTimeout(90_000)

const config = pipeline({ greet: ['echo hello from the build'] })

/** Another person's browser, which shares nothing with the first one. */
const elsewhere = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext()
  await watchToasts(context)
  return context.newPage()
}

const linkOf = (page: Page, login: string) =>
  page
    .getByRole('dialog', { name: `Invitation for ${login}` })
    .locator('code')
    .innerText()

async function createUser(page: Page, origin: string, login: string): Promise<string> {
  await page.goto(`${origin}/settings/users`)
  await page.getByRole('button', { name: 'New user' }).click()
  const form = page.getByRole('dialog', { name: 'New user' })
  await form.getByLabel('Login').fill(login)
  await form.getByLabel('Email').fill(`${login}@example.com`)
  await form.getByRole('button', { name: 'Create' }).click()
  await toastShows(page, 'New user has been created successfully')
  const link = await linkOf(page, login)
  await page.getByRole('button', { name: 'Done' }).click()
  return link
}

async function choosePassword(page: Page, password: string, heading = 'Dashboard'): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}

async function signInAs(page: Page, origin: string, login: string, password: string): Promise<void> {
  await page.goto(`${origin}/login/form`)
  await page.getByLabel('Username').fill(login)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an invited person signs in, and can see and do what the administrator allows', async ({
  page,
  browser,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', config)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)
  const link = await createUser(page, server.origin, 'zoe')
  expect(link).toMatch(new RegExp(`^${server.origin}/login/invite#\\w+$`))

  const zoe = await elsewhere(browser)
  await test.step('the link sets the password and signs in, once', async () => {
    await zoe.goto(link)
    await expect(zoe.getByText('You were invited as zoe.')).toBeVisible()
    await zoe.getByLabel('New password', { exact: true }).fill('short')
    await zoe.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(zoe.getByText('Use at least 8 characters.')).toBeVisible()
    await expect(zoe.getByText('The passwords don’t match.')).toBeVisible()
    await choosePassword(zoe, 'a wide open sky')
    const late = await elsewhere(browser)
    await late.goto(link)
    await expect(late.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
  })

  await test.step('without a role nothing is shown', async () => {
    await expect(zoe.getByText('Your Repository List is Empty.')).toBeVisible()
    await zoe.goto(`${server.origin}/${slug}`)
    await expect(zoe.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  })

  await test.step('with Read, the builds are shown without buttons', async () => {
    await page.goto(`${server.origin}/${slug}/settings/access`)
    await page.getByLabel('Login').fill('nobody')
    await page.getByRole('button', { name: 'Grant access' }).click()
    await expect(page.getByText('No user named nobody')).toBeVisible()
    await page.getByLabel('Login').fill('zoe')
    await page.getByLabel('Role', { exact: true }).selectOption('Read')
    await page.getByRole('button', { name: 'Grant access' }).click()
    await toastShows(page, 'zoe now has read access')
    await zoe.goto(`${server.origin}/${slug}`)
    await expect(zoe.getByRole('link', { name: 'Branches' })).toBeVisible()
    await expect(zoe.getByText('Your Build List is Empty.')).toBeVisible()
    await expect(zoe.getByRole('button', { name: 'New Build' })).toHaveCount(0)
  })

  await test.step('with Write, a build can be started, without an access page', async () => {
    await page.getByLabel('Role of zoe').selectOption('Write')
    await toastShows(page, 'zoe now has write access')
    await zoe.reload()
    await zoe.getByRole('button', { name: 'New Build' }).click()
    await zoe.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await toastShows(zoe, 'New build has started successfully')
    await zoe.goto(`${server.origin}/${slug}/settings/secrets`)
    await expect(zoe.getByRole('link', { name: 'Badges' })).toBeVisible()
    await expect(zoe.getByRole('link', { name: 'Access' })).toHaveCount(0)
  })

  await test.step('with Admin, the access page is shown, and giving up the own role asks for confirmation', async () => {
    await page.getByLabel('Role of zoe').selectOption('Admin')
    await toastShows(page, 'zoe now has admin access')
    await zoe.reload()
    await zoe.getByRole('link', { name: 'Access' }).click()
    await zoe.getByRole('button', { name: 'Remove access of zoe' }).click()
    await zoe.getByRole('button', { name: 'Remove my access' }).click()
    await expect(zoe.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Role of ada')).toBeVisible()
    await expect(page.getByLabel('Role of zoe')).toHaveCount(0)
  })
})

test('changing or resetting a password ends the sessions of the old one @system', async ({ page, browser, start }) => {
  const server = await start()
  await signIn(page, server.origin)
  const link = await createUser(page, server.origin, 'yan')
  const [first, there] = [await elsewhere(browser), await elsewhere(browser)]
  await first.goto(link)
  await choosePassword(first, 'the first password')
  await signInAs(there, server.origin, 'yan', 'the first password')
  await expect(there.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await test.step('the own password, with the old one', async () => {
    await first.goto(`${server.origin}/account`)
    await first.getByLabel('New password', { exact: true }).fill('the second password')
    await first.getByLabel('Confirm new password').fill('the second password')
    await first.getByLabel('Current password').fill('wrong')
    await first.getByRole('button', { name: 'Change password' }).click()
    await expect(first.getByText('The current password is not correct')).toBeVisible()
    await first.getByLabel('Current password').fill('the first password')
    await first.getByRole('button', { name: 'Change password' }).click()
    await toastShows(first, 'Password has been changed')
    await there.goto(`${server.origin}/account`)
    await expect(there).toHaveURL(/\/welcome$/)
    await first.reload()
    await expect(first.getByText('Your personal token:')).toBeVisible()
  })

  await test.step('a reset by the administrator', async () => {
    await page.getByRole('button', { name: 'Reset password of yan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password', exact: true }).click()
    const second = await linkOf(page, 'yan')
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('invited', { exact: true })).toBeVisible()
    await first.goto(`${server.origin}/account`)
    await expect(first).toHaveURL(/\/welcome$/)
    await signInAs(first, server.origin, 'yan', 'the second password')
    await expect(first.getByRole('alert')).toBeVisible()
    await first.goto(second)
    // The page that this browser requested before it was signed out.
    await choosePassword(first, 'the third password', 'Account Settings')
  })
})

test('a token that is replaced is refused, and the new one works @system', async ({ page, start }) => {
  const server = await start()
  await signIn(page, server.origin)
  await page.goto(`${server.origin}/account`)
  const shown = page.getByRole('region', { name: 'Your personal token:' }).locator('pre')
  await expect(shown).toHaveText(/^\w{32}$/)
  const before = await shown.innerText()
  await page.getByRole('button', { name: 'Replace token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click()
  await toastShows(page, 'Your token has been replaced')
  await expect(shown).not.toHaveText(before)
  const status = async (token: string) =>
    (await fetch(`${server.origin}/api/user`, { headers: { Authorization: `Bearer ${token}` } })).status
  expect([await status(before), await status(await shown.innerText())]).toEqual([401, 200])
})

test('with a server other than Flightdeck the feature is hidden @system', async ({ page, start }) => {
  const server = await start()
  await signIn(page, server.origin)
  // Drone sends no capabilities; everything else is unchanged.
  await page.route('**/api/user', async (route) => {
    const { capabilities: _, ...user } = (await (await route.fetch()).json()) as Record<string, unknown>
    await route.fulfill({ json: user })
  })
  await page.goto(`${server.origin}/account`)
  await expect(page.getByText('Example CLI Usage:')).toBeVisible()
  await expect(page.getByText('Change password')).toHaveCount(0)
  await expect(page.getByText('Replace token')).toHaveCount(0)
  const [repo] = (await (await page.request.get(`${server.origin}/api/user/repos`)).json()) as { slug: string }[]
  await page.goto(`${server.origin}/${repo?.slug}/settings`)
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText([
    'General',
    'Secrets',
    'Cron Jobs',
    'Badges',
    // Drone has it as well.
    'Organization',
  ])
  // The page polls until it is closed, but the server stops before.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a wrong password is reported in the form, which keeps the username @system', async ({ page, start }) => {
  const { origin } = await start()
  await page.goto(`${origin}/welcome`)
  await expect(page.getByText('source-control')).toHaveCount(0)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type(admin.login)
  await page.getByLabel('Password').fill('not this one')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Wrong username or password.')
  await expect(page.getByLabel('Username')).toHaveValue(admin.login)
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})
