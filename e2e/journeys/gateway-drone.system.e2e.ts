/** The gateway with a fake Drone server that responds as a real one did, including its pauses. */
import type { Page } from '@playwright/test'
import { expect, standToken, test } from '../support/drone.ts'

test.setTimeout(90_000)

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByLabel('Username').fill('boss')
  await page.getByLabel('Password').fill('correct horse')
  await page.keyboard.press('Enter')
}
async function enter(page: Page, origin: string): Promise<void> {
  await signIn(page, origin)
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}
const status = (page: Page) => page.getByRole('status', { name: 'Build status' })

test('sign-in asks for an email address once, and then opens the requested page', async ({ page, inFront }) => {
  const { origin } = await inFront()
  await signIn(page, origin)
  await expect(page).toHaveURL(`${origin}/register`)
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await page.getByLabel('Email').fill('boss@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(`${origin}/logout`)
  await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
  await signIn(page, origin)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('an email address saved before the user is known still continues to the page', async ({ page, inFront }) => {
  const { origin } = await inFront()
  let saving = () => {}
  const saved = new Promise<void>((resolve) => (saving = resolve))
  await page.goto(`${origin}/login/form`)
  await page.route('**/api/user', async (route) => {
    if (route.request().method() === 'GET') {
      await saved
      return route.fallback()
    }
    saving()
    await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible()
    return route.fallback()
  })
  await page.getByLabel('Username').fill('boss')
  await page.getByLabel('Password').fill('correct horse')
  await page.keyboard.press('Enter')
  await page.getByLabel('Email').fill('boss@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('a refusal is shown with the server’s message', async ({ page, inFront }) => {
  const { origin } = await inFront()
  await page.goto(`${origin}/login/form`)
  await page.getByLabel('Username').fill('otto')
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Account is not active')
})

test('if sign-in redirects to the server’s own name, a token signs in', async ({ page, inFront }) => {
  const { origin } = await inFront({ signsInAtForge: true })
  await page.goto(`${origin}/acme/web/35`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${origin}/login/token`)
  await page.getByLabel('Token').fill(standToken)
  await page.keyboard.press('Enter')
  // The page they originally requested.
  await expect(page).toHaveURL(/\/acme\/web\/35/)
  await expect(status(page)).toContainText('running')
})

test('a build canceled elsewhere ends on the open page, with its log', async ({ page, inFront }) => {
  const { drone, origin } = await inFront()
  await enter(page, origin)
  await page.goto(`${origin}/acme/web/35/1/2`)
  const rows = page.getByRole('log').locator('[data-line]')
  await expect(rows).toHaveCount(3)
  await expect(page.getByText('Step is running...')).toBeVisible()
  drone.cancel()
  await expect(status(page)).toContainText('killed')
  await expect(page.getByText('Step is killed (canceled)')).toBeVisible()
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0)
})

test('other people’s builds appear in the lists without a reload, even if their end was not reported', async ({
  page,
  inFront,
}) => {
  const { drone, origin } = await inFront()
  await enter(page, origin)
  await page.goto(`${origin}/acme/web`)
  const build = (number: number) => page.getByRole('main').locator(`a[href^="/acme/web/${number}"]`).first()
  await expect(build(35)).toBeVisible()
  await expect(build(36)).toHaveCount(0)
  drone.create()
  await expect(build(36)).toBeVisible()
  drone.dropsEvents = true
  drone.finish()
  await page.goto(`${origin}/acme/web/35`)
  await expect(status(page)).toContainText('success')
})

test('the last successful run is searched in Drone’s own lists on request, and not before', async ({
  page,
  inFront,
}) => {
  const { drone, origin } = await inFront()
  await enter(page, origin)
  const { number } = drone.breaks()
  await page.goto(`${origin}/acme/web/${number}/1/1`)
  const console = page.getByRole('region', { name: 'Console' })
  await expect(console.getByRole('button', { name: /^Compare with the last successful run/ })).toBeVisible()
  const readPaths = () => drone.requests.filter((path) => /builds\?branch=|builds\/33|known/.test(path))
  expect(readPaths()).toEqual([])
  await page.keyboard.press('o')
  await expect(console).toContainText('2 lines not in the last successful run (#33)')
  await expect(console.locator('[data-fresh]')).toHaveText([/^3\+ rum/, /^4.*rum: not found/])
  // The gateway checks builds that it has reported as well, each once.
  expect([...new Set(readPaths())]).toEqual([
    'GET /api/repos/acme/web/builds?branch=master&page=1&per_page=50',
    'GET /api/repos/acme/web/builds/33',
    'GET /api/repos/acme/web/builds/33/logs/1/1',
  ])
  await page.keyboard.press('o')
  await expect(console.locator('[data-line]')).toHaveCount(2)
})

test('an approval by another person appears without a reload', async ({ page, inFront }) => {
  const { drone, origin } = await inFront()
  await enter(page, origin)
  await page.goto(`${origin}/acme/gated/1/1`)
  await expect(page.getByRole('button', { name: 'Approve Build' })).toBeVisible()
  drone.approve()
  await expect(page.getByRole('button', { name: 'Approve Build' })).toHaveCount(0)
})

test('license flags come from the server', async ({ page, inFront }) => {
  const expired = await inFront({ licence: { seats: 5, seats_used: 1, expire_at: '2020-01-01T00:00:00Z' } })
  await enter(page, expired.origin)
  await page.goto(`${expired.origin}/`)
  await expect(page.getByText('Your Server License is Expired.')).toBeVisible()
})

/**
 * Every screen of the specification for which the fake server has data, and a text that shows that
 * it is complete.
 */
const screens: [path: string, shows: string | RegExp][] = [
  ['/', 'acme/web'],
  ['/account', 'drone info'],
  ['/builds-feed', 'a long build'],
  ['/settings/users', 'ann@example.com'],
  ['/acme/web', 'a long build'],
  ['/acme/web/branches', 'master'],
  ['/acme/web/deployments', 'production'],
  ['/acme/web/settings', 'Ignore forks'],
  ['/acme/web/settings/secrets', 'password'],
  ['/acme/vault/settings/cron', 'nightly-build'],
  ['/acme/web/settings/badges', 'CCMenu'],
  ['/acme/web/35/1/2', 'Pipeline stages'],
  ['/acme/web/2/1/2', 'Exit Code 3'],
  ['/acme/web/5', /yaml/],
  ['/acme/web/16', '5 stages'],
  ['/acme/gated/1', 'Approve Build'],
  ['/welcome', 'Continue'],
  ['/login/form', 'Password'],
  ['/login/token', 'Token'],
  ['/login/error', 'An error occured during login attempt'],
  ['/register', 'You are signed in'],
  ['/nowhere/at/all/ever/x', 'We are sorry'],
]

test('every screen is complete, and features of our own server are hidden', async ({ page, inFront }) => {
  const { origin } = await inFront()
  await enter(page, origin)
  const bad: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) bad.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  page.on('pageerror', (error) => bad.push(error.message))
  for (const [path, shows] of screens) {
    await test.step(path, async () => {
      await page.goto(origin + path)
      await expect(page.getByRole('main')).toContainText(shows)
      await page.waitForLoadState('load')
      await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toHaveCount(0)
    })
  }
  // The last page appears before its response, because its URL alone shows that it does not exist.
  await expect.poll(() => bad).toEqual(['404 /api/repos/nowhere/at'])

  const absent: [path: string, what: string[]][] = [
    ['/account', ['Change password', 'Replace token']],
    ['/settings/users', ['Runners', 'Reset password']],
    ['/acme/web/settings', ['Access']],
    ['/acme/web/settings/badges', ['Make the badge public']],
  ]
  for (const [path, words] of absent) {
    await page.goto(origin + path)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    for (const word of words) await expect(page.getByText(word), `${path}: ${word}`).toHaveCount(0)
  }
  for (const path of ['/settings/runners', '/acme/web/settings/access']) {
    await page.goto(origin + path)
    await expect(page.getByText('We are sorry, the resource you requested cannot be found.')).toBeVisible()
  }
})
