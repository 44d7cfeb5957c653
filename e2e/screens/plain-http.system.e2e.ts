/**
 * Copying if the browser gives the page no clipboard: over plain HTTP at a host name other than
 * localhost. The page cannot read the clipboard, so the test pastes the copied text into a field.
 */
import type { Page } from '@playwright/test'
import { plainName as name } from '../playwright.config.ts'
import { data, expect, ok, ours, openDialog, signedInAs, test, withBuild, withRepo } from '../support/screens.ts'

const open = async (page: Page, origin: string, path: string) => {
  await page.goto(origin.replace('127.0.0.1', name) + path)
  expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([false, false])
}

/** The contents of the clipboard, pasted in a second page. */
async function pasted(page: Page): Promise<string> {
  const other = await page.context().newPage()
  await other.setContent('<textarea autofocus></textarea>')
  await other.locator('textarea').focus()
  await other.keyboard.press('Control+v')
  const text = await other.locator('textarea').inputValue()
  await other.close()
  await page.bringToFront()
  return text
}

test('a snippet of a page is copied, and the focus stays', async ({ page, host }) => {
  withRepo(host)
  await open(page, host.origin, '/octocat/hello/settings/badges')
  const button = page.getByRole('button', { name: 'Copy CCMenu' })
  await button.click()
  await expect(page.getByText('Copied!', { exact: true })).toBeVisible()
  expect(await pasted(page)).toContain('/api/badges/octocat/hello/cc.xml')
})

test('the token of a machine user is copied from its dialog', async ({ page, host }) => {
  signedInAs(host, { admin: true, ...ours })
    .on('GET /api/users', ok([data.user({ admin: true })]))
    .on('POST /api/users', ok({ ...data.user({ id: 3, login: 'bot', machine: true }), token: 'tok3n of bot' }))
  await open(page, host.origin, '/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const form = page.getByRole('dialog', { name: 'New user' })
  await form.getByLabel('Login').fill('bot')
  await form.getByLabel('Email').fill('bot@example.com')
  await form.getByLabel('Machine User').check()
  await form.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Token of bot' })
  await dialog.getByRole('button', { name: 'Copy token' }).click()
  await expect(dialog.getByText('Copied', { exact: true })).toBeVisible()
  expect(await pasted(page)).toBe('tok3n of bot')
  // The token has been copied: Escape needs no confirmation.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('if the browser does not copy, the page says so and selects the text', async ({ page, host }) => {
  await page.addInitScript(() => {
    document.execCommand = () => false
  })
  withRepo(host)
  await open(page, host.origin, '/octocat/hello/settings/badges')
  await page.getByRole('button', { name: 'Copy CCMenu' }).click()
  await expect(page.getByText(/blocked copying.*Ctrl\+C/)).toBeVisible()
  await expect(page.getByText('Copied!', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Control+c')
  expect(await pasted(page)).toMatch(/^http:.*\/api\/badges\/octocat\/hello\/cc\.xml$/)
})

test('Ctrl+A and Ctrl+C copy a long log', async ({ page, host }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  withBuild(host)
  host.on('GET /api/repos/octocat/hello/builds/42/logs/1/1', ok(data.lines(5000)))
  await open(page, host.origin, '/octocat/hello/42/1/1')
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await page.getByText('line 5000', { exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await expect
    .poll(async () => {
      const lines = (await pasted(page)).trimEnd().split('\n')
      return [lines.length, lines[0], lines.at(-1)]
    })
    .toEqual([5000, 'line 1', 'line 5000'])
  expect(errors).toEqual([])
})

test('a value that is shown once is not lost by a click outside, by Escape, or by leaving the page', async ({
  page,
  host,
}) => {
  const invitation = { url: 'https://ci.example.com/login/invite#abc', expires: data.now + 86_400 }
  signedInAs(host, { admin: true, ...ours })
    .on('GET /api/users', ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann', has_password: true })]))
    .on('POST /api/users/ann/invitation', ok(invitation))
  await open(page, host.origin, '/account')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Reset password of ann' }).click()
  await openDialog(page).getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invitation for ann' })
  await expect(dialog).toContainText('/login/invite#abc')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  for (const answer of ['Escape', 'Escape', 'Cancel'] as const) {
    await page.keyboard.press('Escape')
    const confirmDialog = page.getByRole('dialog', { name: 'Close without copying?' })
    await expect(confirmDialog).toBeVisible()
    if (answer === 'Escape') await page.keyboard.press('Escape')
    else await confirmDialog.getByRole('button', { name: answer }).click()
    await expect(confirmDialog).toHaveCount(0)
    await expect(dialog).toContainText('/login/invite#abc')
  }
  await page.goBack()
  await expect(page).toHaveURL(/\/account$/)
  await expect(dialog).toContainText('/login/invite#abc')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
