/** Public repositories, seen by people who are not signed in (`--public-pages`). */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { toastShows } from '../support/toasts.ts'

// The option belongs to the embedded server; a gateway shows nothing to people who are not signed
// in.
test.use({ through: false })

const slow = pipeline({ greet: ['echo hello to everybody', 'sleep 5', 'echo and goodbye'] })

async function show(page: Page, origin: string, slug: string, visibility: 'public' | 'private'): Promise<void> {
  await page.goto(`${origin}/${slug}/settings`)
  await page.getByRole('radio', { name: visibility }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'Changes have been saved')
}

for (const publicPages of [false, true])
  test(`signed out, a public repository ${publicPages ? 'is shown, and nothing else' : 'is not shown unless the server says so'}`, async ({
    browser,
    page,
    folder,
    start,
  }) => {
    const repos = join(folder, 'repos')
    const open = await makeRepository(repos, 'space/open', slow)
    const hidden = await makeRepository(repos, 'space/hidden', pipeline({ greet: ['echo secret words'] }))
    const { origin } = await start({ repos, publicPages })
    await signIn(page, origin)
    await activate(page, origin, open.slug)
    await activate(page, origin, hidden.slug)
    await show(page, origin, open.slug, 'public')
    await expect(
      page.getByText(publicPages ? 'Anyone, even without signing in' : 'no pages', { exact: publicPages }),
    ).toBeVisible()

    const guest = await (await browser.newContext()).newPage()
    const leadsAway = async (path: string) => {
      await guest.goto(origin + path)
      await expect(guest).toHaveURL(`${origin}/welcome`)
    }
    if (!publicPages) {
      await leadsAway('/space/open')
      await leadsAway('/space/open/1')
      return
    }
    await guest.goto(`${origin}/space/open`)
    await expect(guest.getByText('Your Build List is Empty.')).toBeVisible()

    // Live updates of the list, the build and its log.
    await page.goto(`${origin}/space/open`)
    await startBuild(page)
    const row = guest.getByRole('main').getByRole('link', { name: /#1/ }).last()
    await expectStatus(row, 'running')
    await row.click()
    await expect(guest.getByText('hello to everybody', { exact: true })).toBeVisible()
    await expect(guest.getByRole('button', { name: /^(New Build|Cancel|Restart|Actions)/ })).toHaveCount(0)
    await expect(guest.getByText('and goodbye', { exact: true })).toBeVisible()
    await guest.getByRole('link', { name: /^[0-9a-f]{8}$/ }).click()
    await expect(
      guest.getByRole('region', { name: 'Builds of this commit' }).getByRole('link', { name: /#1/ }),
    ).toBeVisible()
    await expect(guest.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' })).toHaveCount(0)
    await expect(guest.getByRole('button', { name: 'Search' })).toHaveCount(0)
    await expect(guest.getByRole('link', { name: 'Settings' })).toHaveCount(0)

    // Everything else stays hidden; a hidden repository looks like one that does not exist.
    for (const path of [
      '/',
      '/space/hidden',
      '/space/none',
      '/space/hidden/1',
      '/space/open/settings',
      '/builds-feed',
      '/account',
    ])
      await leadsAway(path)

    // Signing in from there returns to the page, with the person's permissions.
    await guest.goto(`${origin}/space/open`)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByRole('link', { name: 'Continue' }).click()
    await guest.getByLabel('Username').fill('ada')
    await guest.getByLabel('Password').fill('correct horse')
    await guest.getByRole('button', { name: /sign in/i }).click()
    await expect(guest).toHaveURL(`${origin}/space/open`)
    await expect(guest.getByRole('button', { name: 'New Build' })).toBeVisible()

    // A repository that becomes private also disappears from open pages.
    const other = await (await browser.newContext()).newPage()
    await other.goto(`${origin}/space/open`)
    await expect(other.getByRole('heading', { name: 'Executions' })).toBeVisible()
    await show(page, origin, open.slug, 'private')
    await other.reload()
    await expect(other).toHaveURL(`${origin}/welcome`)
  })
