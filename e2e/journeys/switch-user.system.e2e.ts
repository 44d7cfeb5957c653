/**
 * One browser, two tabs, two people one after the other: no tab shows or stores the other person's
 * data.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(90_000)

const config = pipeline({ greet: ['echo hello from the build'] })
const password = 'a wide open sky'

/** A second person, invited by the administrator of `page`. */
async function invite(page: Page, origin: string, login: string): Promise<void> {
  const made = await page.request.post(`${origin}/api/users`, { data: { login, email: `${login}@example.com` } })
  const { invitation } = (await made.json()) as { invitation: { url: string } }
  const value = new URL(invitation.url).hash.slice(1)
  const taken = await fetch(`${origin}/api/invitation`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ invitation: value, password }),
  })
  expect(taken.ok).toBe(true)
}

async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/login/form`)
  await page.getByLabel('Username').fill(login)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
const settings = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })
const account = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' })
const notFound = (page: Page) => page.getByText('We are sorry, the resource you requested cannot be found.')

test('when another person signs in, every tab switches to that person before it shows anything', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', config)
  const { origin } = await start({ repos })
  await signIn(page, origin)
  await activate(page, origin, slug)
  await invite(page, origin, 'zoe')

  // The second tab; the first one holds the event stream for both.
  const other = await page.context().newPage()
  await other.goto(`${origin}/`)
  await expect(other.getByRole('link', { name: new RegExp(slug) }).first()).toBeVisible()
  await expect.poll(() => stored(other)).toContain(slug)
  await other.goto(`${origin}/settings/users`)
  await expect(other.getByText('zoe@example.com')).toBeVisible()

  await test.step('signed out here, signed out there', async () => {
    await page.goto(`${origin}/account`)
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
    await expect(other).toHaveURL(/\/welcome$/)
    await expect(other.getByText('You are signed out.')).toBeVisible()
    await expect(other.getByText('zoe@example.com')).toHaveCount(0)
    expect(await other.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(slug)
  })

  await test.step('signed in here as another person, with that person’s data there', async () => {
    await signInAs(page, 'zoe')
    await expect(account(other)).toBeVisible()
    await expect(settings(other)).toHaveCount(0)
    // The own dashboard, not the first person's page.
    await expect(other.getByText('Your Repository List is Empty.')).toBeVisible()
    for (const tab of [page, other]) expect(await stored(tab)).not.toContain(slug)
  })

  await test.step('and the other way round, while a page of zoe is shown', async () => {
    await page.goto(`${origin}/${slug}`)
    await expect(notFound(page)).toBeVisible()
    await other.goto(`${origin}/logout`)
    await expect(page.getByText('You are signed out.')).toBeVisible()
    await signIn(other, origin)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(settings(page)).toBeVisible()
  })
})

test('responses for the new person’s session are never shown in the old person’s page, and never stored under that name', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', config)
  const { origin } = await start({ repos })
  await signIn(page, origin)
  await activate(page, origin, slug)
  await invite(page, origin, 'zoe')
  const browser = page.context().browser()
  const zoe = await (await browser?.newContext())?.newPage()
  if (!zoe) throw new Error('no browser')
  await zoe.goto(`${origin}/login/form`)
  await signInAs(zoe, 'zoe')
  // Without an event stream, only the responses can reveal the new session.
  await zoe.route('**/api/stream', (route) => route.abort())
  await zoe.goto(`${origin}/account`)
  await expect(zoe.getByText('Your personal token:')).toBeVisible()

  const shown: string[] = []
  await zoe.exposeFunction('report', (text: string) => shown.push(text))
  await zoe.evaluate(() => {
    const report = (window as unknown as { report: (text: string) => void }).report
    const check = () => {
      const main = document.querySelector('main')?.textContent ?? ''
      if (main.includes('space/rocket')) report(main)
    }
    new MutationObserver(check).observe(document, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { wasHers: true })
  })
  // Responses to the page's own requests are delayed until after the click; otherwise the page
  // would reload first.
  let pressed = () => {}
  const press = new Promise<void>((resolve) => (pressed = resolve))
  await zoe.route('**/api/**', async (route) => {
    await press
    await route.fallback()
  })
  const form = { username: 'ada', password: 'correct horse' }
  await zoe.request.post(`${origin}/login`, { form })
  await zoe.getByRole('link', { name: 'Flightdeck, home' }).click()
  pressed()
  await expect(settings(zoe)).toBeVisible()
  await expect(zoe.getByRole('link', { name: new RegExp(slug) }).first()).toBeVisible()
  expect(shown).toEqual([])
  expect(await zoe.evaluate(() => 'wasHers' in window)).toBe(false)
  await expect.poll(() => stored(zoe)).toContain(slug)
  expect(await stored(zoe)).toContain('\\"login\\":\\"ada\\"')
})

test('a leading tab of the previous person does not keep events from the next person’s tab', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', config)
  const { origin } = await start({ repos })
  await signIn(page, origin)
  await activate(page, origin, slug)
  await invite(page, origin, 'zoe')
  await page.goto(`${origin}/logout`)
  await page.goto(`${origin}/login/form`)
  // A tab that neither receives nor sends, like one that hangs: it is the leading tab, and stays
  // zoe's.
  await page.addInitScript(() => {
    const Channel = BroadcastChannel
    const deaf = (name: string) =>
      name.includes('person') ? { addEventListener() {}, postMessage() {} } : new Channel(name)
    Object.assign(window, {
      BroadcastChannel: function (name: string) {
        return deaf(name)
      },
    })
  })
  await signInAs(page, 'zoe')
  await page.waitForLoadState()
  await page.route('**/api/user', () => undefined)

  const ada = await page.context().newPage()
  await ada.goto(`${origin}/login/form`)
  await ada.getByLabel('Username').fill('ada')
  await ada.getByLabel('Password').fill('correct horse')
  await ada.getByRole('button', { name: 'Sign in' }).click()
  await expect(ada.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await ada.goto(`${origin}/${slug}`)
  await ada.getByRole('link', { name: 'Branches' }).waitFor()
  await ada.request.post(`${origin}/api/repos/${slug}/builds`)
  // Only an event can change the list, because it is read once.
  await expect(
    ada
      .getByRole('link', { name: /#1/ })
      .or(ada.locator(`main a[href^="/${slug}/1"]`))
      .first(),
  ).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
