/** Named tokens and sessions, on the real server. */
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'

test('a named token is created by keyboard, works in a script, and stops working when revoked', async ({
  page,
  start,
}) => {
  const { origin } = await start({})
  await signIn(page, origin)
  await page.goto(`${origin}/account`)
  const tokens = page.getByRole('region', { name: 'Named tokens' })
  await tokens.getByLabel('Token name').focus()
  await page.keyboard.press('Enter')
  await expect(tokens.getByText('A name is required')).toBeVisible()
  await page.keyboard.type('deploy script')
  await page.keyboard.press('Tab')
  await page.keyboard.type('30 days')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const made = tokens.getByRole('region', { name: 'Token deploy script' })
  const value = await made.locator('pre').innerText()
  await expect(tokens.getByText('Copy it now. You won’t be able to see it again.')).toBeVisible()
  const ask = async () => (await fetch(`${origin}/api/user`, { headers: { Authorization: `Bearer ${value}` } })).status
  expect(await ask()).toBe(200)
  await page.reload()
  const row = tokens.getByRole('listitem')
  await expect(row).toContainText(/deploy script\s*Last used: just now\s*Expires /)
  await expect(made).toHaveCount(0)
  await tokens.getByLabel('Token name').fill('Deploy Script')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await expect(tokens.getByText('You already have a token named Deploy Script')).toBeVisible()
  await row.getByRole('button', { name: 'Revoke deploy script' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(row).toHaveCount(0)
  expect(await ask()).toBe(401)
})

test('a signed-in browser is signed out from a different one @system', async ({ page, browser, start }) => {
  const { origin } = await start({})
  const left = await (await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/133.0' })).newPage()
  await signIn(left, origin)
  await signIn(page, origin)
  await page.goto(`${origin}/account`)
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'this browser' })).toHaveCount(1)
  await sessions.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await expect(page.getByText('Session ended', { exact: true })).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await left.goto(`${origin}/account`)
  await expect(left).toHaveURL(/\/welcome$/)
  await left.context().close()
})
