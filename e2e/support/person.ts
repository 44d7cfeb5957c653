/** Actions of a user in the browser. */
import { type Locator, type Page, expect } from '@playwright/test'
import { admin } from './server.ts'

/** Signs in from the page that signed-out visitors get, until the dashboard. */
export async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/`)
  await expect(page).toHaveURL(/\/welcome$/)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByLabel('Username').fill(admin.login)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: /sign in|log ?in/i }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** Activates a repository on its own page. */
export async function activate(page: Page, origin: string, slug: string): Promise<void> {
  await page.goto(`${origin}/${slug}`)
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  // A toast is too short-lived to wait for.
  await expect(page.getByRole('button', { name: 'New Build' })).toBeVisible()
}

/** The link to a build in lists. */
export const buildLink = (page: Page, slug: string, number: number): Locator =>
  page.locator(`main a[href^="/${slug}/${number}"]`).last()

export async function startBuild(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await dialog.getByRole('button', { name: /^create/i }).click()
  // It stays open if the server refuses.
  await expect(dialog).toBeHidden()
}

/** Expects the status of a build, stage or step, which is text for screen readers. */
export const expectStatus = (place: Locator, status: string, timeout = 60_000): Promise<void> =>
  expect(
    place
      .getByText(status, { exact: true })
      .or(place.getByLabel(status, { exact: true }))
      .first(),
  ).toBeAttached({
    timeout,
  })
