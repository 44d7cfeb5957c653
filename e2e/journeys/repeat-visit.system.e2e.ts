/** The data of the last visit is shown before the server responds, to the same person only. */
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { activate, expectStatus, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { latch } from '../support/screens.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { admin } from '../support/server.ts'

// With a gateway, the page does not know who is signed in before the first response.
test.use({ through: false })

const config = pipeline({ greet: ['echo hello from the build'] })
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }))

/** Delays all API responses until `answer` is called. The page itself and its code load. */
async function hold(page: Page): Promise<{ answer: () => void }> {
  let answer = () => {}
  const pendingAnswer = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/**', async (route) => {
    await pendingAnswer
    await route.fallback()
  })
  return { answer: () => answer() }
}

/**
 * Delays the page's code until the returned function is called; only the document itself is shown.
 */
async function holdCode(page: Page): Promise<() => void> {
  const { opened, open } = latch()
  await page.route('**/assets/*.js', async (route) => {
    await opened
    await route.fallback()
  })
  return open
}

const frame = (page: Page) => page.locator('#root > .frame')

/** The positions of these texts in whole pixels, in the order of the page. */
const places = (page: Page, texts: string[]) =>
  page.evaluate((texts) => {
    const found: { text: string; x: number; y: number }[] = []
    const walker = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const range = document.createRange()
      range.selectNodeContents(node)
      const { x, y } = range.getBoundingClientRect()
      if (texts.includes(text)) found.push({ text, x: Math.round(x), y: Math.round(y) })
    }
    return found
  }, texts)

/** The page's code has replaced the frame that came with the document. */
const drawn = (page: Page) => expect(frame(page)).toHaveCount(0)

test.describe('a later visit', () => {
  let slug = ''
  let origin = ''
  /** Everything that was on the page at some moment. */
  let seen: string[] = []
  test.beforeEach(async ({ page, folder, start }) => {
    const repos = join(folder, 'repos')
    ;({ slug } = await makeRepository(repos, 'space/rocket', config))
    ;({ origin } = await start({ repos }))
    await signIn(page, origin)
    await activate(page, origin, slug)
    await page.goto(`${origin}/`)
    await expect(row(page)).toBeVisible()
    await expect.poll(() => stored(page)).toContain(slug)
    seen = []
    await page.exposeFunction('report', (text: string) => seen.push(text))
    await page.addInitScript(() => {
      const { report } = window as unknown as { report: (text: string) => void }
      new MutationObserver(() => report(document.querySelector('main')?.textContent ?? '')).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    })
  })
  const row = (page: Page) => page.getByRole('link', { name: new RegExp(slug) }).first()

  test('shows the rows of the last visit before any response, and the changes after the responses', async ({
    page,
  }) => {
    const { answer } = await hold(page)
    await page.goto(`${origin}/`)
    await expect(row(page)).toBeVisible()
    await expect(page.getByText('Showing data from your last visit. Updating…')).toBeVisible()
    await page.request.post(`${origin}/api/repos/${slug}/builds`, { headers: { Origin: origin } })
    answer()
    await expect(page.locator('main').getByText('#1').first()).toBeVisible()
    await expect(page.getByText('Showing data from your last visit. Updating…')).toHaveCount(0)
  })

  test('has names and titles in the skeleton, in their final position and as links', async ({ page }) => {
    await page.request.post(`${origin}/api/repos/${slug}/builds`, { headers: { Origin: origin } })
    await expectStatus(row(page), 'success')
    await page.goto(`${origin}/account`)
    const open = await holdCode(page)
    await page.goto(`${origin}/`, { waitUntil: 'commit' })
    await expect(frame(page).locator('li a[href]')).toHaveText(`${slug}#1 Begin`)
    await expect(frame(page).locator('li a[href]')).toHaveAttribute('href', `/${slug}`)
    await expect(frame(page).locator('#kept-cards a[href]')).toHaveText(`${slug}Begin`)
    await expect(frame(page).locator('#kept-cards a[href]')).toHaveAttribute('href', `/${slug}/1`)
    const before = await places(page, [slug, '#1 Begin', 'Begin'])
    expect(before.map(({ text }) => text)).toEqual([slug, 'Begin', slug, '#1 Begin'])
    open()
    await drawn(page)
    await expectStatus(row(page), 'success')
    expect(await places(page, [slug, '#1 Begin', 'Begin'])).toEqual(before)
    await page.unrouteAll({ behavior: 'wait' })

    await test.step('except in a filtered list', async () => {
      await holdCode(page)
      for (const prepare of [
        () => page.goto(`${origin}/?filter=nothing`, { waitUntil: 'commit' }),
        async () => {
          await page.evaluate(() => localStorage.setItem('flightdeck.dashboard.active-only', 'on'))
          await page.goto(`${origin}/`, { waitUntil: 'commit' })
        },
      ]) {
        await prepare()
        await expect(frame(page).locator('#kept-rows')).toBeVisible()
        // Waits for the same font and one more frame; by then the names would be there.
        await page.evaluate(async () => {
          await document.fonts.load('1em "Inter Variable"')
          await new Promise(requestAnimationFrame)
        })
        await expect(frame(page).locator('a[href]')).toHaveCount(0)
      }
    })
  })

  test('keeps the rows if the list arrived long before the user was known', async ({ page }) => {
    await page.goto(`${origin}/account`)
    await expect(page.getByText('Your personal token:')).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    const listed = page.waitForResponse(/user\/repos/)
    const answerLast = async (route: Route) => {
      await (await listed).finished()
      // The page stores what it has read when it is idle.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))))
      await route.fallback()
    }
    await page.route('**/api/user', answerLast, { times: 1 })
    await page.goto(`${origin}/`)
    await expect(row(page)).toBeVisible()
    await expect.poll(() => stored(page)).toContain(slug)
  })

  test('shows no rows if the session was ended elsewhere', async ({ page }) => {
    // A different browser of the same person changes the password, which ends all other sessions.
    const elsewhere = await page.context().browser()?.newContext()
    if (!elsewhere) throw new Error('no browser')
    const form = { username: admin.login, password: admin.password }
    await elsewhere.request.post(`${origin}/login`, { form, headers: { Origin: origin } })
    const changed = await elsewhere.request.put(`${origin}/api/user/password`, {
      data: { old_password: admin.password, password: 'another long password' },
      headers: { Origin: origin },
    })
    expect(changed.ok(), await changed.text()).toBe(true)
    const { answer } = await hold(page)
    await page.goto(`${origin}/`)
    await drawn(page)
    answer()
    await expect(page).toHaveURL(/\/welcome$/)
    expect(seen.join()).not.toContain(slug)
    expect(await stored(page)).not.toContain(slug)
    expect(await stored(page)).not.toContain(admin.login)
    await elsewhere.close()
  })

  test('shows no rows to another person in the same browser, even if they sign in between page and response', async ({
    page,
  }) => {
    const made = await page.request.post(`${origin}/api/users`, { data: { login: 'zoe', email: 'zoe@example.com' } })
    const { invitation } = (await made.json()) as { invitation: { url: string } }
    // Not in this browser, which would be signed in as her immediately.
    const taken = await fetch(`${origin}/api/invitation`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ invitation: new URL(invitation.url).hash.slice(1), password: 'a wide open sky' }),
    })
    expect(taken.ok).toBe(true)
    const become = (username: string, password: string) =>
      page.request.post(`${origin}/login`, { form: { username, password }, headers: { Origin: origin } })

    await test.step('between page and response: the first response removes the rows', async () => {
      const { answer } = await hold(page)
      await page.goto(`${origin}/`)
      await expect(row(page)).toBeVisible()
      await become('zoe', 'a wide open sky')
      answer()
      await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })).toHaveCount(
        0,
      )
      expect(await stored(page)).not.toContain(slug)
      await page.unrouteAll({ behavior: 'wait' })
    })

    await test.step('before the page: the rows never appear', async () => {
      await become(admin.login, admin.password)
      await page.goto(`${origin}/`)
      await expect(row(page)).toBeVisible()
      await expect.poll(() => stored(page)).toContain(slug)
      await become('zoe', 'a wide open sky')
      // Closes the other person's page, so that it sends nothing more.
      await page.goto('about:blank')
      seen = []
      const { answer } = await hold(page)
      await page.goto(`${origin}/`)
      await drawn(page)
      answer()
      await expect(page.getByText('Your Repository List is Empty.')).toBeVisible()
      expect(seen.join()).not.toContain(slug)
      expect(await stored(page)).not.toContain(slug)
    })
  })
})
